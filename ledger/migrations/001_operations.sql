-- What is intended, tried and decided. Times are this server's clock (clock_timestamp(), since a transaction that
-- waited for a lock has an old now()). Documents are json, not jsonb: jsonb refuses \u0000, which a broken answer of
-- TabNews or a hasty signal may hold, and what came must be kept as it came.

create table transitions (
    from_state text not null,
    to_state   text not null,
    primary key (from_state, to_state)
);
comment on table transitions is 'The allowed changes of an operation''s state, the same as publication.State.CanBecome: a program that forgets to ask is refused here.';

insert into transitions (from_state, to_state) values
    ('proposed', 'proposed'), ('proposed', 'planned'),
    ('planned', 'proposed'), ('planned', 'planned'), ('planned', 'sending'), ('planned', 'rejected'), ('planned', 'unknown'),
    ('sending', 'accepted'), ('sending', 'unknown'), ('sending', 'rejected'), ('sending', 'planned'),
    ('unknown', 'accepted'), ('unknown', 'planned'), ('unknown', 'abandoned'),
    ('rejected', 'proposed'), ('rejected', 'planned');

create table operations (
    operation     text primary key constraint operation_form check (operation ~ '^[a-z]+/[^/]+/[^/]+'),
    account       text not null,
    lane          text not null,
    state         text not null constraint operation_state
                  check (state in ('proposed', 'planned', 'sending', 'accepted', 'unknown', 'rejected', 'abandoned')),
    payload       json not null,
    digest        text not null constraint operation_digest check (digest ~ '^sha256:[0-9a-f]{64}$'),
    proposed_by   text not null,
    runs          text[] not null default '{}',
    remote_status text constraint operation_remote_status
                  check (remote_status in ('draft', 'published', 'firewall', 'deleted')),
    verification  text not null default 'pending' constraint operation_verification
                  check (verification in ('pending', 'matched', 'diverged', 'unreadable', 'not_applicable')),
    local_record  text not null default 'pending' constraint operation_local_record
                  check (local_record in ('recorded', 'pending')),
    identity      json,
    investigation json,
    created_at    timestamptz not null default clock_timestamp(),
    updated_at    timestamptz not null default clock_timestamp(),
    -- An acceptance without its identity would be a success that nobody can find again; an identity without the
    -- acceptance would be a success that is hidden.
    constraint accepted_has_identity check ((state = 'accepted') = (identity is not null))
);
create index operations_recent on operations (account, updated_at desc);
comment on table operations is 'One intended change each. Its row is the lock of all that happens to it.';
comment on column operations.payload is 'Canonical JSON, byte for byte the request''s body; digest names it.';
comment on column operations.runs is 'The Temporal runs that opened it: a run that starts over must not open again what it saw rejected.';
comment on column operations.identity is 'What TabNews returned, or a person adopted.';
comment on column operations.investigation is 'The newest finding of reading after an unknown outcome, or of the content that stood in the way before a send.';
comment on column operations.local_record is 'recorded: the whole snapshot of the workflow was written after the acceptance.';

create function refuse_transition() returns trigger language plpgsql as $$
begin
    if new.state <> old.state and not exists
        (select from transitions where from_state = old.state and to_state = new.state) then
        raise exception 'operation %: % may not become %', old.operation, old.state, new.state using errcode = 'check_violation';
    end if;
    return new;
end $$;
create trigger operations_transition before update of state on operations
    for each row execute function refuse_transition();

create table decisions (
    operation         text not null references operations,
    id                text not null,
    kind              text constraint decision_kind check (kind in ('approve', 'adopt', 'not_created', 'abandon', 'recheck')),
    signal            text not null default '',
    by                text not null default '',
    attempt           bigint,
    digest            text,
    reference         text not null default '',
    accept_divergence boolean not null default false,
    reason            text not null default '',
    at                timestamptz not null,
    taken             boolean not null,
    refusal           text not null default '',
    voided            text not null default '',
    recorded_at       timestamptz not null default clock_timestamp(),
    primary key (operation, id),
    constraint refused_says_why check (taken = (refusal = '')),
    constraint taken_names_person check (not taken or (kind is not null and by <> '')),
    constraint authorization_binds_digest check (not taken or kind not in ('approve', 'not_created')
        or (digest is not null and digest ~ '^sha256:[0-9a-f]{64}$')),
    constraint resolve_names_attempt check (not taken or kind not in ('adopt', 'not_created', 'abandon')
        or (attempt is not null and attempt > 0))
);
create unique index decisions_resolve_once on decisions (operation, attempt)
    where taken and voided = '' and kind in ('adopt', 'not_created', 'abandon');
comment on table decisions is 'Every signal of a person, taken or refused with the reason.';
comment on column decisions.kind is 'Null when the signal could not be read.';
comment on column decisions.voided is 'Why it no longer counts: another payload replaced the one approved, or content was found that a person had decided was not created.';
comment on index decisions_resolve_once is 'The first decision on an attempt wins.';

create table attempts (
    operation        text not null references operations,
    number           integer not null check (number > 0),
    outcome          text not null constraint attempt_outcome
                     check (outcome in ('sending', 'accepted', 'rejected', 'not_sent', 'unknown', 'not_created')),
    digest           text not null constraint attempt_digest check (digest ~ '^sha256:[0-9a-f]{64}$'),
    authorization_id text,
    approved_by      text not null default '',
    token            text,
    run_id           text not null default '',
    claimed_at       timestamptz,
    send_by          timestamptz,
    finished_at      timestamptz,
    identity         json,
    evidence         json,
    candidates       json,
    primary key (operation, number),
    foreign key (operation, authorization_id) references decisions (operation, id),
    constraint finished_has_time check ((outcome = 'sending') = (finished_at is null)),
    constraint accepted_attempt_has_identity check ((outcome = 'accepted') = (identity is not null)),
    constraint sending_has_claim check (outcome <> 'sending' or (token is not null and claimed_at is not null and send_by is not null))
);
create unique index attempts_one_may_have_created on attempts (operation)
    where outcome in ('sending', 'accepted', 'unknown');
create unique index attempts_authorization_once on attempts (operation, authorization_id)
    where outcome <> 'not_sent';
comment on table attempts is 'One send each. A row without token is a tombstone: the number was given up before anybody claimed it, and nobody can claim it any more.';
comment on index attempts_one_may_have_created is 'An operation has at most one attempt that may have created content.';
comment on index attempts_authorization_once is 'A decision allows one attempt; one that is proven unsent gives it back.';
comment on column attempts.authorization_id is 'The decision that allowed it; null for a tombstone.';
comment on column attempts.token is 'The fence: only who claimed the attempt may tell how it ended.';
comment on column attempts.send_by is 'The end of the send''s time: no byte leaves after it.';

create table lanes (
    lane           text primary key,
    last_start     timestamptz,
    last_operation text,
    last_attempt   integer
);
comment on table lanes is 'One egress IP each. TabNews counts writes per IP, so claims of a lane queue at its row.';
