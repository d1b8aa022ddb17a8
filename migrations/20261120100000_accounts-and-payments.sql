-- Up Migration

create table settings (
  only_row boolean primary key default true check (only_row),
  -- Øre including VAT. 300 is the least that Stripe charges in NOK; 0 makes the service free.
  price_ore integer not null default 0 check (price_ore = 0 or price_ore between 300 and 9999999),
  service_days integer not null default 30 check (service_days between 1 and 3650),
  updated_at timestamptz not null default now()
);
insert into settings default values;

create table account (
  id uuid primary key default uuidv7(),
  -- The identity provider's id of the user.
  uid text not null unique,
  email text not null check (email = lower(email)),
  display_name text,
  -- A deleted account stays as a tombstone, so that a token still alive does not bring it back.
  state text not null default 'active' check (state in ('active', 'disabled', 'deleted')),
  registered_at timestamptz not null default now(),
  -- Computed from the credits; null until the first one.
  service_expires_at timestamptz
);
create index account_email on account (email);

create table payment (
  id uuid primary key default uuidv7(),
  purpose text not null check (purpose in ('registration', 'extension')),
  -- Null until Stripe has answered.
  payment_intent_id text unique,
  -- Null for a registration until it is settled.
  account_id uuid references account (id),
  -- Part of the key under which Stripe makes the intent: Stripe replays a failure to the same key.
  attempt integer not null default 0,
  -- What a registration will be made with; the password never rests here.
  email text check (email = lower(email)),
  username text,
  -- The key of the click that asked for the intent.
  client_key text unique,
  amount_ore integer not null check (amount_ore > 0),
  currency text not null default 'nok',
  service_days integer not null check (service_days > 0),
  state text not null default 'open' check (state in ('open', 'settled', 'cancelled')),
  -- The registration found an account under its address and extended that one.
  account_existed boolean,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check (purpose = 'extension' or email is not null),
  check (purpose = 'registration' or account_id is not null),
  check (state <> 'settled' or (account_id is not null and settled_at is not null))
);
create index payment_account on payment (account_id);
-- One open intent per account: a second click is handed the first one.
create unique index payment_open_extension on payment (account_id)
  where state = 'open' and purpose = 'extension';

-- The ledger that service_expires_at is computed from.
create table credit (
  id uuid primary key default uuidv7(),
  account_id uuid not null references account (id),
  payment_id uuid unique references payment (id),
  reason text not null check (reason in ('payment', 'grant')),
  days integer not null check (days > 0),
  credited_at timestamptz not null default clock_timestamp(),
  check ((reason = 'payment') = (payment_id is not null))
);
create index credit_account on credit (account_id, credited_at);

-- What Stripe has told us. The contents are not kept: the state is read from Stripe.
create table stripe_event (
  id text primary key,
  type text not null,
  object_id text not null,
  received_at timestamptz not null default now()
);

-- Down Migration

drop table stripe_event;
drop table credit;
drop table payment;
drop table account;
drop table settings;
