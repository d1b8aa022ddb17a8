-- Up Migration

-- Registrations without payment, for the limits; forgotten after a day.
create table free_registration (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  -- A /64 network for IPv6.
  client_address text,
  created_at timestamptz not null default clock_timestamp()
);
create index free_registration_email on free_registration (email, created_at);
create index free_registration_address on free_registration (client_address, created_at);
create index free_registration_created on free_registration (created_at);

-- Down Migration

drop table free_registration;
