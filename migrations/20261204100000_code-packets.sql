-- Up Migration

-- A packet of codes is a payment like the others. Its buyer needs no account.
alter table payment
  drop constraint payment_purpose_check,
  drop constraint payment_check,
  drop constraint payment_check1,
  drop constraint payment_check2,
  add constraint payment_purpose_check check (purpose in ('registration', 'extension', 'packet')),
  add constraint payment_check check (purpose <> 'registration' or email is not null),
  add constraint payment_check1 check (purpose <> 'extension' or account_id is not null),
  add constraint payment_check2 check (
    state <> 'settled'
    or (settled_at is not null and (account_id is not null or purpose = 'packet')));

create table code_packet (
  payment_id uuid primary key references payment (id),
  codes integer not null check (codes between 1 and 1000),
  -- As the buyer typed them; the number is checked by its check digit.
  organisation text not null check (length(organisation) between 1 and 200),
  organisation_number text check (organisation_number ~ '^\d{9}$'),
  -- The codes, encrypted, until the buyer has kept them, at most for 14 days. Then only their hashes remain.
  sealed_codes bytea,
  -- Null until the payment is settled.
  expires_at timestamptz
);
create index code_packet_sealed on code_packet (payment_id) where sealed_codes is not null;

create table access_code (
  id uuid primary key default uuidv7(),
  payment_id uuid not null references code_packet (payment_id),
  hash bytea not null unique check (length(hash) = 32),
  -- The credit names the account.
  redeemed_at timestamptz,
  -- By refunds and disputes of the packet's payment.
  withdrawn_at timestamptz,
  -- A registration that is under way, so that no other one creates an identity for this code. Its id becomes the uid of
  -- the identity; the address is forgotten at the end, or after a day.
  registration_id uuid unique,
  reserved_for text check (reserved_for = lower(reserved_for)),
  reserved_at timestamptz,
  -- An unverified identity without credit had the address and was removed.
  address_reclaimed boolean not null default false,
  check (redeemed_at is null or withdrawn_at is null),
  check ((reserved_for is null) or (registration_id is not null and reserved_at is not null))
);
create index access_code_packet on access_code (payment_id);
create index access_code_reserved on access_code (reserved_at) where reserved_for is not null;

alter table credit
  add column code_id uuid unique references access_code (id),
  drop constraint credit_reason_check,
  add constraint credit_reason_check check (reason in ('payment', 'grant', 'code')),
  add constraint credit_code check ((reason = 'code') = (code_id is not null));

alter table limited_call
  drop constraint limited_call_call_check,
  add constraint limited_call_call_check check (call in ('export', 'profile_change', 'code'));

-- Down Migration

-- Fails while a packet has been bought: its receipt must be kept.
alter table payment
  drop constraint payment_purpose_check,
  drop constraint payment_check,
  drop constraint payment_check1,
  drop constraint payment_check2,
  add constraint payment_purpose_check check (purpose in ('registration', 'extension')),
  add constraint payment_check check (purpose = 'extension' or email is not null),
  add constraint payment_check1 check (purpose = 'registration' or account_id is not null),
  add constraint payment_check2 check (
    state <> 'settled' or (account_id is not null and settled_at is not null));
delete from limited_call where call = 'code';
alter table limited_call
  drop constraint limited_call_call_check,
  add constraint limited_call_call_check check (call in ('export', 'profile_change'));
alter table credit
  drop constraint credit_code,
  drop constraint credit_reason_check,
  drop column code_id,
  add constraint credit_reason_check check (reason in ('payment', 'grant'));
drop table access_code;
drop table code_packet;
