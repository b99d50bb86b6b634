-- A lane whose distance holds whatever the latency: what may still be created, and until when; who waits; and pauses.

-- TabNews counts a creation at the start of its transaction, which lies anywhere between the claim and the answer.
alter table attempts
    add column lane text,
    add column creates text constraint attempt_creates check (creates in ('root', 'comment')),
    add column may_create_until timestamptz;
update attempts a set
    lane = o.lane,
    creates = case when o.operation not like 'publish/%' then null
                   when position('"parent_id":"' in o.payload::text) > 0 then 'comment' else 'root' end
    from operations o where o.operation = a.operation;
update attempts set may_create_until = case
        when outcome = 'accepted' then finished_at
        when outcome in ('sending', 'unknown', 'not_created') then coalesce(send_by, finished_at) + interval '20 seconds' end
    where creates is not null;
create index attempts_may_create on attempts (lane, may_create_until) where may_create_until is not null;
comment on column attempts.creates is 'What TabNews counts together: root for articles, comment for comments; null for what creates nothing.';
comment on column attempts.may_create_until is 'The latest time at which TabNews may have begun to create, or may still begin: the answer''s arrival once accepted, else the deadline and what TabNews may wait by itself. Null: it creates nothing.';

-- The order in which a lane is used: first come, first served. A ticket stays its holder's until it is used.
create table lane_reservations (
    lane        text not null,
    operation   text not null references operations,
    attempt     integer not null,
    ticket      bigint generated always as identity,
    creates     text constraint reservation_creates check (creates in ('root', 'comment')),
    reserved_at timestamptz not null default clock_timestamp(),
    due_at      timestamptz not null,
    slot_at     timestamptz,
    waits_for   text not null default '',
    primary key (lane, operation)
);
create index lane_reservations_in_order on lane_reservations (lane, ticket);
comment on table lane_reservations is 'Who asked too early and waits for its turn. A row blocks nobody once its holder has not asked again by due_at and a grace.';
comment on column lane_reservations.due_at is 'When its holder will ask again.';
comment on column lane_reservations.slot_at is 'When its turn was expected when it asked last; null while the lane is paused until somebody resumes it.';

alter table lanes
    add column paused_at timestamptz,
    add column paused_until timestamptz,
    add column paused_by text not null default '',
    add column paused_reason text not null default '';
comment on column lanes.paused_until is 'Null with a paused_at: until somebody resumes it.';
