-- Up Migration

alter table payment
  -- Stripe's name of the method, or of the wallet that the card is in. Null until it is paid.
  add column method text check (method ~ '^[a-z0-9_]{1,40}$');
alter table refund
  -- When Stripe made it; null for those of the version before.
  add column made_at timestamptz;
alter table dispute
  -- When it was seen to be won or lost; null for those of the version before.
  add column closed_at timestamptz;
create index receipt_issued on receipt (issued_at);
create index dispute_opened on dispute (opened_at);

-- What Stripe's own accounts say of our payments. The books are compared with it, and it alone knows the fees.
create table balance_transaction (
  id text primary key,
  payment_id uuid not null references payment (id) on delete cascade,
  -- Stripe's id of the charge, refund or dispute.
  source text not null,
  -- Stripe's reporting category: charge, refund, refund_failure, dispute, dispute_reversal, …
  category text not null,
  -- Before the fee; negative when money leaves.
  amount_ore integer not null,
  fee_ore integer not null,
  created_at timestamptz not null
);
create index balance_transaction_payment on balance_transaction (payment_id);
create index balance_transaction_source on balance_transaction (source);
create index balance_transaction_created on balance_transaction (created_at);
-- Until when it was read; no row before the first time.
create table balance_reading (
  only_row boolean primary key default true check (only_row),
  read_at timestamptz not null
);

-- Counts without identifiers, such as how often the free sample was opened. A day is one in Oslo.
create table daily_count (
  day date not null,
  name text not null check (name ~ '^[a-z_]{1,40}$'),
  count bigint not null default 0,
  primary key (day, name)
);

-- Down Migration

drop table daily_count, balance_reading, balance_transaction;
drop index dispute_opened, receipt_issued;
alter table dispute drop column closed_at;
alter table refund drop column made_at;
alter table payment drop column method;
