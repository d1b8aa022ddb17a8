-- Up Migration

alter table payment
  -- Raised by every change. Who wants to write what was read from Stripe must name the one it was
  -- read under, so that an older reading never overwrites a newer one.
  add column revision integer not null default 0,
  -- The PaymentIntent's status when it was last read.
  add column intent_status text,
  add column cancelled_at timestamptz,
  add column cancel_reason text check (cancel_reason in
    ('abandoned', 'declined', 'price_changed', 'learner', 'administrator', 'account_closed', 'stripe')),
  add column refunded_ore integer not null default 0,
  -- The worst of its disputes: open or lost takes all days back, won gives them again.
  add column dispute text check (dispute in ('open', 'won', 'lost')),
  -- Why a person must look at it; null when nobody needs to.
  add column attention text check (attention in
    ('mismatch', 'email_refused', 'account_closed', 'refund_failed', 'disputed')),
  -- The text that the learner agreed to before paying: that the service starts at once.
  add column consent_version text check (length(consent_version) between 1 and 40),
  add column consented_at timestamptz,
  -- Where it was begun, for the limits; forgotten after a day. A /64 network for IPv6.
  add column client_address text,
  add constraint payment_consent check ((consent_version is null) = (consented_at is null)),
  add constraint payment_refunded check (refunded_ore between 0 and amount_ore);
create index payment_address on payment (client_address, created_at) where client_address is not null;
create index payment_email on payment (email, created_at);
create index payment_open on payment (created_at) where state = 'open';
create index payment_created on payment (created_at desc, id desc);
create index payment_attention on payment (created_at desc) where attention is not null;

-- A try to pay that a bank refused: one failed charge at Stripe.
create table card_decline (
  charge_id text primary key,
  payment_id uuid not null references payment (id),
  code text,
  declined_at timestamptz not null
);
create index card_decline_payment on card_decline (payment_id);

-- Numbered without gaps, as bookkeeping wants it.
create table receipt_counter (
  only_row boolean primary key default true check (only_row),
  last_number bigint not null default 0
);
insert into receipt_counter default values;

-- What a receipt says stays as it was said, whatever becomes of price and seller.
create table receipt (
  number bigint primary key,
  payment_id uuid not null unique references payment (id),
  issued_at timestamptz not null default clock_timestamp(),
  amount_ore integer not null,
  -- The part of the amount that is VAT; 0 when the seller was not registered for it.
  vat_ore integer not null,
  vat_percent integer not null,
  service_days integer not null,
  period_start timestamptz not null,
  period_end timestamptz not null,
  seller_name text,
  seller_organisation_number text,
  seller_address text
);

create table refund (
  id uuid primary key default uuidv7(),
  payment_id uuid not null references payment (id),
  -- Null until Stripe has answered.
  stripe_refund_id text unique,
  amount_ore integer not null check (amount_ore > 0),
  reason text not null check (reason in ('withdrawal', 'administrator', 'stripe')),
  state text not null default 'requested'
    check (state in ('requested', 'pending', 'succeeded', 'failed', 'cancelled')),
  -- Part of the key under which Stripe makes it.
  attempt integer not null default 0,
  -- The administrator's address; null for a learner, and for one made at Stripe.
  requested_by text check (requested_by = lower(requested_by)),
  failure text,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index refund_payment on refund (payment_id);
create index refund_requested on refund (created_at) where state = 'requested';

create table dispute (
  stripe_dispute_id text primary key,
  payment_id uuid not null references payment (id),
  -- Stripe's own word.
  status text not null,
  reason text not null,
  amount_ore integer not null,
  evidence_due_at timestamptz,
  opened_at timestamptz not null
);
create index dispute_payment on dispute (payment_id);

-- Days that an administrator gave: to one account, or to all that were active.
create table service_grant (
  id uuid primary key default uuidv7(),
  client_key text unique,
  audience text not null check (audience in ('account', 'active')),
  days integer not null check (days between 1 and 3650),
  note text check (length(note) between 1 and 500),
  accounts integer not null default 0,
  created_by text not null check (created_by = lower(created_by)),
  created_at timestamptz not null default clock_timestamp()
);

alter table credit
  -- By refunds and disputes of its payment.
  add column days_taken_back integer not null default 0,
  add column grant_id uuid references service_grant (id),
  add constraint credit_taken_back check (days_taken_back between 0 and days),
  add constraint credit_grant check (grant_id is null or reason = 'grant');
create unique index credit_grant_account on credit (grant_id, account_id);

alter table account
  -- The end of service that its learner was last written to about.
  add column ending_mailed_for timestamptz;
create index account_expiry on account (service_expires_at) where state = 'active';

alter table stripe_event
  -- The payment that it is about, where it is about one.
  add column payment_intent_id text,
  add column source text not null default 'webhook' check (source in ('webhook', 'reconciliation')),
  add column processed_at timestamptz;
create index stripe_event_received on stripe_event (received_at desc);

-- Comparisons with Stripe: by the schedule, or because an administrator or operator asked.
create table reconciliation (
  id uuid primary key default uuidv7(),
  -- Null for the schedule.
  requested_by text,
  -- Payments since then are compared one by one; null: only what Stripe says has happened is read.
  since timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  events_missed integer not null default 0,
  payments_checked integer not null default 0,
  payments_changed integer not null default 0,
  -- Payments at Stripe that carry our mark and are not in our books.
  unknown_intents text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index reconciliation_created on reconciliation (created_at desc);

-- "I have paid, but cannot get in": whose payments are to be looked for. Forgotten after a day.
create table payment_search (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  language text not null default 'no' check (language in ('no', 'en')),
  client_address text,
  created_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create index payment_search_email on payment_search (email, created_at);
create index payment_search_address on payment_search (client_address, created_at);

-- What is done again and again. In PostgreSQL, so that a queue that lost everything loses no schedule.
create table schedule (
  name text primary key,
  next_at timestamptz not null default clock_timestamp()
);

-- Down Migration

drop table schedule;
drop table payment_search;
drop table reconciliation;
drop index stripe_event_received;
alter table stripe_event drop column payment_intent_id, drop column source, drop column processed_at;
alter table account drop column ending_mailed_for;
drop index account_expiry;
alter table credit drop column days_taken_back, drop column grant_id;
drop table service_grant;
drop table dispute;
drop table refund;
drop table receipt;
drop table receipt_counter;
drop table card_decline;
alter table payment drop constraint payment_consent, drop constraint payment_refunded,
  drop column revision, drop column intent_status, drop column cancelled_at,
  drop column cancel_reason, drop column refunded_ore, drop column dispute, drop column attention,
  drop column consent_version, drop column consented_at, drop column client_address;
drop index payment_email, payment_open, payment_created;
