-- What was done with TabNews, counted. A view, not a table: attempts are the truth, and a second one would differ some
-- day.

create view usage as
select o.account,
       coalesce(a.lane, o.lane) as lane,
       (coalesce(a.claimed_at, a.finished_at) at time zone 'UTC')::date as day,
       count(*) as attempts,
       count(*) filter (where a.outcome = 'accepted' and split_part(a.operation, '/', 1) = 'publish') as creations,
       count(*) filter (where a.outcome = 'accepted' and split_part(a.operation, '/', 1) = 'revise') as edits,
       count(*) filter (where a.outcome = 'accepted' and split_part(a.operation, '/', 1) = 'remove') as removals,
       count(*) filter (where a.outcome = 'rejected') as refusals,
       count(*) filter (where a.outcome = 'unknown') as unknowns,
       count(*) filter (where a.outcome = 'not_created') as not_created,
       count(*) filter (where a.outcome = 'not_sent') as unsent
from attempts a join operations o using (operation)
group by 1, 2, 3;
comment on view usage is 'Attempts per account, lane and UTC day of the claim, by what is known of them now: an unknown that a person adopts counts as a creation of its day from then on.';
comment on column usage.day is 'Of the claim; of a number that was given up before anybody claimed it, the day of that.';
comment on column usage.attempts is 'All of them: those that the other columns count, and those in flight.';
comment on column usage.unsent is 'Proven not sent. They cost nothing at TabNews.';
