-- Up Migration

-- The language of what is mailed; chosen with the registration.
alter table account add column language text not null default 'no'
  check (language in ('no', 'en'));
alter table payment add column language text not null default 'no'
  check (language in ('no', 'en'));

-- Every mail that an event led to: at most one of a kind for each person.
create table mail (
  id uuid primary key default uuidv7(),
  -- The event that it tells of. No reference: events are deleted after a month.
  event_id uuid not null,
  kind text not null,
  -- Whom it goes to. An account's address is read when it is sent and not kept here.
  account_id uuid references account (id),
  email text check (email = lower(email)),
  language text not null check (language in ('no', 'en')),
  -- Until then somebody is sending it. It lies in the past when a try failed.
  claimed_until timestamptz not null,
  sent_at timestamptz,
  -- The receiving server said for good that it does not take it, by this SMTP code.
  refused_at timestamptz,
  refused_code integer,
  check (num_nonnulls(account_id, email) = 1),
  check (num_nonnulls(sent_at, refused_at) <= 1),
  check ((refused_at is null) = (refused_code is null)),
  unique nulls not distinct (event_id, kind, account_id, email)
);
create index mail_account on mail (account_id);

-- Down Migration

drop table mail;
alter table payment drop column language;
alter table account drop column language;
