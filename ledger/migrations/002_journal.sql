-- Who did what when. It is written in the transaction of what it tells of, while the operation's row is locked, so the
-- order of ids is the order of events of an operation.

create table journal (
    id         bigint generated always as identity primary key,
    operation  text not null references operations,
    at         timestamptz not null default clock_timestamp(),
    event      text not null constraint journal_event check (event in ('proposed', 'approved', 'claimed', 'answered', 'settled',
               'decided', 'refused', 'investigated', 'slug_taken', 'read_back', 'recorded')),
    by         text not null default '',
    attempt    bigint,
    digest     text,
    from_state text,
    to_state   text,
    detail     json
);
create index journal_of_operation on journal (operation, id);
comment on table journal is 'Append-only: what a person relies on to understand a past that no other system tells.';
comment on column journal.to_state is 'Set when the event changed the state; the rows that have it form a path of allowed transitions that ends at the state.';

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception 'the journal is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger journal_append_only before update or delete on journal
    for each row execute function refuse_change();
create trigger journal_not_truncated before truncate on journal
    for each statement execute function refuse_change();
