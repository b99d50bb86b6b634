-- Changes, removals and taken up content: what an operation starts from, and who else works at the same address.

-- The address is part of the operation's ID. PostgreSQL derives it, also for rows that are there already, so no program
-- can note another one.
alter table operations
    add column base json,
    add column reference text not null generated always as
        (split_part(operation, '/', 2) || '/' || split_part(split_part(operation, '/', 3), '@', 1)) stored,
    add constraint operation_kind check (split_part(operation, '/', 1) in ('publish', 'revise', 'remove', 'track')),
    -- A change without its base could neither be compared before the send nor restored after it.
    add constraint change_has_base check ((split_part(operation, '/', 1) in ('revise', 'remove')) = (base is not null));
create index operations_of_reference on operations (reference, created_at desc);
comment on column operations.base is 'The content as it was, kept so that it can be restored; digest names payload and base together. Null where nothing is changed: publish, track.';
comment on column operations.reference is 'account/slug, without generation and base version: one address has one writer at a time.';

alter table attempts
    add column reference text not null generated always as
        (split_part(operation, '/', 2) || '/' || split_part(split_part(operation, '/', 3), '@', 1)) stored;
create unique index attempts_one_writer on attempts (reference) where outcome = 'sending';
comment on column attempts.reference is 'That of the operation, for the index that allows one writer.';
comment on index attempts_one_writer is 'An address has at most one request in flight, whichever operation it belongs to. Unknown ones are not in it: that a send may have had an effect is knowledge, and must be kept even beside another one.';

alter table decisions
    drop constraint decision_kind,
    add constraint decision_kind check (kind in ('approve', 'adopt', 'not_created', 'abandon', 'recheck', 'probe')),
    drop constraint resolve_names_attempt,
    add constraint resolve_names_attempt check (not taken or kind not in ('adopt', 'not_created', 'abandon', 'probe')
        or (attempt is not null and attempt > 0));

alter table journal
    drop constraint journal_event,
    add constraint journal_event check (event in ('proposed', 'approved', 'claimed', 'answered', 'settled', 'decided',
        'refused', 'investigated', 'slug_taken', 'base_changed', 'read_back', 'recorded'));
