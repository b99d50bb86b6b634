-- What the drift watch knows: which accepted public contents are read again, when, and what was seen last. All of it can
-- be made anew from operations and journal, but for what was told already: each change is told once.

create table watches (
    content     text primary key,
    account     text not null,
    operation   text not null references operations,
    expected    text not null references operations,
    expected_at timestamptz not null,
    since       timestamptz not null,
    next_at     timestamptz,
    looked_at   timestamptz,
    read_at     timestamptz,
    slug        text not null default '',
    published_at timestamptz,
    missing_at  timestamptz,
    incident_at timestamptz,
    seen        text not null constraint watch_seen
                check (seen in ('unchanged', 'edited', 'hidden', 'deleted', 'gone', 'back')),
    seen_at     timestamptz,
    seen_digest text not null default '',
    diff        text not null default '',
    because     text not null default '',
    probed_at   timestamptz,
    failures    integer not null default 0,
    problem     text not null default ''
);
create index watches_due on watches (account, next_at) where next_at is not null;
create index watches_of_operation on watches (operation);
comment on table watches is 'One accepted public content each, until our own removal of it.';
comment on column watches.content is 'TabNews'' id: a reference can come to hold another content.';
comment on column watches.operation is 'The publication that is told of changes: the publish, or the track.';
comment on column watches.expected is 'The newest accepted operation of ours on the content: what is to be read there.';
comment on column watches.since is 'The steps count from it: the acceptance, or the last change that was seen.';
comment on column watches.next_at is 'Null: read at every step, or the watch is off.';
comment on column watches.read_at is 'When a look could read the content last; null: none could since the newest acceptance.';
comment on column watches.slug is 'Where it was found last, after somebody renamed it; empty: where expected left it.';
comment on column watches.published_at is 'By TabNews'' clock, once it was read: the account''s listing is ordered by it.';
comment on column watches.missing_at is 'Since when it cannot be read, while the lane has no turn to ask for its slug: what to tell is not known yet.';
comment on column watches.incident_at is 'The newest incident that let it be read at once.';
comment on column watches.seen_at is 'When a change was told; null: none was since the newest acceptance.';
comment on column watches.seen_digest is 'Of an edited content as it was read: another digest is another edit. Empty: it was not read yet.';
comment on column watches.probed_at is 'When the slug was asked for since the content disappeared: once for each disappearance.';

create table watchers (
    account  text primary key,
    wakes_at timestamptz not null
);
comment on table watchers is 'When the workflow watch/ACCOUNT said that it looks next. A content that is due earlier, or long ago, means that it must be woken or started.';

create index journal_of_drift on journal (id) where event = 'drift';

-- All that we did to one content, whatever its address was.
create index operations_of_content on operations ((identity->>'id')) where identity is not null;

create view removed_contents as
    select identity->>'id' as content, operation from operations
    where identity is not null and state = 'accepted' and split_part(operation, '/', 1) = 'remove';
comment on view removed_contents is 'What we removed ourselves: that it cannot be read is what we wanted.';

create view incidents_of_operation as
    select i.id as incident, i.at, a.operation, a.number as attempt, a.claimed_at
    from incidents i
    join attempts a on a.lane = i.lane and a.creates = i.creates and a.outcome = 'accepted' and (a.operation <> i.operation or i.attempt = 0)
        and a.may_create_until > i.at - interval '10 minutes' and (a.claimed_at is null or a.claimed_at <= i.at);
comment on view incidents_of_operation is 'The creations that an incident may have hidden: those of its lane and kind that TabNews may have begun in the ten minutes before it (TabNews API, "The firewall").';

alter table lanes add column probed_until timestamptz;
comment on column lanes.probed_until is 'A slug probe may be on its way until then, and is asked against the firewall''s limit: nothing else of the lane starts beside it.';
