-- Up Migration

-- Requests for a link to choose a password. They rate limit the next ones; deleted after a day, or after four
-- if no person could repeat them.
create table password_request (
  id uuid primary key default uuidv7(),
  email text not null check (email = lower(email)),
  reason text not null
    check (reason in ('forgotten', 'registration', 'registered_again', 'administrator')),
  language text not null check (language in ('no', 'en')),
  -- Null unless a person requested it on a page.
  client_address text,
  created_at timestamptz not null default clock_timestamp()
);
create index password_request_email on password_request (email, created_at);
create index password_request_address on password_request (client_address, created_at);

-- Mailed links to choose a password. The token is only in the mail.
create table password_token (
  -- SHA-256. The token is random, so that it needs no salt.
  token_hash bytea primary key,
  -- Of the identity. It need not have an account.
  uid text not null,
  -- Where the token was mailed. It is void once the identity has another address.
  email text not null check (email = lower(email)),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  -- Also set when another way of changing the password made it void.
  used_at timestamptz
);
create index password_token_uid on password_token (uid);
create index password_token_created on password_token (created_at);

-- Down Migration

drop table password_token;
drop table password_request;
