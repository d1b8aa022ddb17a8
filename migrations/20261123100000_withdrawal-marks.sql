-- Up Migration

-- Which e-mail addresses and cards have withdrawn from a purchase, as keyed hashes: without the key they do
-- not say whose they are. They outlast the account, and are deleted after two years.
create table withdrawal_mark (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  withdrawn_at timestamptz not null
);
create index withdrawal_mark_withdrawn on withdrawal_mark (withdrawn_at);

-- The days of this credit begin later. Until then they are no part of the account's service; when they
-- begin, credited_at becomes that moment and this null again.
alter table credit add column begins_at timestamptz;
create index credit_begins on credit (begins_at) where begins_at is not null;

-- Down Migration

drop index credit_begins;
alter table credit drop column begins_at;
drop table withdrawal_mark;
