-- The words for what came later: schedules that are moved or withdrawn, sends told apart from their answers, repairs,
-- drift, and incidents of a lane.

alter table decisions
    drop constraint decision_kind,
    add constraint decision_kind check (kind in ('approve', 'adopt', 'not_created', 'abandon', 'recheck', 'probe', 'reschedule', 'cancel'));

alter table journal
    drop constraint journal_event,
    add constraint journal_event check (event in ('proposed', 'approved', 'scheduled', 'missed', 'claimed', 'sent', 'answered', 'settled',
        'decided', 'refused', 'investigated', 'slug_taken', 'base_changed', 'read_back', 'recorded', 'repaired', 'drift', 'incident'));

-- TabNews counts creations per IP and kind. The third within its window is refused, and everything of that kind that was
-- created from the IP in the ten minutes before is hidden: nothing of ours makes it happen, but others behind the same
-- address can.
create table incidents (
    id           bigint generated always as identity primary key,
    lane         text not null,
    at           timestamptz not null default clock_timestamp(),
    creates      text not null constraint incident_creates check (creates in ('root', 'comment')),
    operation    text not null references operations,
    attempt      integer not null,
    paused_until timestamptz not null
);
create unique index incidents_of_attempt on incidents (operation, attempt) where attempt > 0;
create index incidents_of_lane on incidents (lane, at desc);
comment on table incidents is 'A firewall refusal each (TabNews API, "The firewall"), of the attempt that met it.';
comment on column incidents.attempt is '0: not an attempt met it, but a slug probe about the content of the operation.';
comment on column incidents.creates is 'The kind that TabNews counts together: root for articles, comment for comments; only that kind is hidden.';
