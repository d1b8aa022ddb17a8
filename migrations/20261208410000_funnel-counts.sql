-- Up Migration

-- The steps to practising, from the rows that are left. From now on each is counted when it happens
-- (services/database/daily-count.ts), so these days do not change any more. What was deleted, registrations while the service
-- was free, and whether two registrations without their address were of one person, is not known.
insert into daily_count (day, name, count)
select (begun_at at time zone 'Europe/Oslo')::date, 'registration_begun', count(*)
from (
  select min(begun_at) as begun_at
  from (
    select email as person, created_at as begun_at from payment where purpose = 'registration'
    union all
    select account.email, redeemed_at
    from access_code join credit on credit.code_id = access_code.id join account on account.id = credit.account_id
    where registration_id is not null) begun
  group by person) person
group by 1
on conflict do nothing;

insert into daily_count (day, name, count)
select (paid_at at time zone 'Europe/Oslo')::date, 'first_payment', count(*)
from (
  select min(settled_at) as paid_at from payment
  where state = 'settled' and account_id is not null group by account_id) person
group by 1
on conflict do nothing;

insert into daily_count (day, name, count)
select day, case nth when 1 then 'first_quiz' else 'came_back' end, count(*)
from (
  select day, row_number() over (partition by account_id order by day) as nth
  from (
    select distinct account_id, (started_at at time zone 'Europe/Oslo')::date as day from quiz) practised) person
where nth <= 2
group by 1, 2
on conflict do nothing;

-- Down Migration

delete from daily_count where name in ('registration_begun', 'first_payment', 'first_quiz', 'came_back');
