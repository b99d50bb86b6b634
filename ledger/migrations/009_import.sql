-- A rebuilt ledger says so itself: what it holds ends at the export's moment, and what may have happened since is not in it.

alter table journal
    drop constraint journal_event,
    add constraint journal_event check (event in ('proposed', 'approved', 'scheduled', 'missed', 'claimed', 'sent', 'answered', 'settled',
        'decided', 'refused', 'investigated', 'slug_taken', 'base_changed', 'read_back', 'recorded', 'repaired', 'drift', 'incident', 'imported'));
