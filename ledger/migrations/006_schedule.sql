-- When an operation is to be sent. The time belongs to the operation, not to its payload: moving it changes no digest.

alter table operations
    add column send_at   timestamptz,
    add column send_zone text,
    add column late      interval,
    add column missed    boolean not null default false,
    -- A time without its zone could not be shown to the person who chose it, and one without its lateness never be missed.
    add constraint schedule_is_whole check ((send_at is null) = (send_zone is null) and (send_at is null) = (late is null)),
    add constraint schedule_is_late_by_something check (late > interval '0'),
    add constraint missed_has_time check (not missed or send_at is not null);
comment on column operations.send_at is 'The earliest moment of its send; null: as soon as a person approved it.';
comment on column operations.send_zone is 'The IANA name, UTC, or the offset in which a person wrote the time.';
comment on column operations.late is 'How much later than send_at it may still be sent by itself.';
comment on column operations.missed is 'send_at and late passed without a send: nothing is claimed until a person decides.';

alter table decisions
    add column schedule json;
comment on column decisions.schedule is 'Of a reschedule: the new time. Null: now.';
