-- Up Migration

-- When the sign-in token was issued that the address was last taken from. Older tokens still live
-- for an hour, and must not bring the former address back.
alter table account add column email_taken_at timestamptz;

-- Learners who delete their own account: where it is confirmed, until it is. What has no end was
-- interrupted, and is completed by the workers.
create table account_deletion (
  account_id uuid primary key references account (id),
  email text not null check (email = lower(email)),
  language text not null check (language in ('no', 'en')),
  begun_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz
);

-- Down Migration

drop table account_deletion;
alter table account drop column email_taken_at;
