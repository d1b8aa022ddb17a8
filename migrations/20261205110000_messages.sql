-- Up Migration

-- Mails that administrators write to learners.
create table message (
  id uuid primary key default uuidv7(),
  -- `news` goes only to learners who agreed to it.
  kind text not null check (kind in ('service', 'news')),
  audience text not null
    check (audience in ('all', 'active', 'expired', 'never_practised', 'not_lately')),
  -- Subject and body by language; learners of other languages get none.
  texts jsonb not null check (jsonb_typeof(texts) = 'object' and texts <> '{}'),
  state text not null default 'draft' check (state in ('draft', 'sending', 'stopped', 'sent')),
  revision integer not null default 1,
  -- The revision that was last mailed to its writer as a test.
  tested_revision integer,
  created_by text not null check (created_by = lower(created_by)),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  -- Accounts in the audience when sending began.
  total integer,
  -- The accounts up to this one have a recipient; null: begin with the first.
  last_account_id uuid,
  -- When the last recipient was queued.
  queued_at timestamptz,
  check ((state = 'draft') = (started_at is null)),
  check ((state = 'sent') = (ended_at is not null))
);
create index message_sending on message (started_at) where state = 'sending';

-- Who gets a message, and what came of it. A row is there before its mail is.
create table message_recipient (
  message_id uuid not null references message (id) on delete cascade,
  account_id uuid not null references account (id),
  state text not null check (state in ('queued', 'sent', 'refused', 'skipped')),
  reason text check (reason in
    ('recent', 'refused_before', 'no_address', 'withdrawn', 'closed', 'interrupted')),
  -- When it came into this state.
  at timestamptz not null default clock_timestamp(),
  primary key (message_id, account_id),
  check ((state = 'skipped') = (reason is not null))
);
create index message_recipient_account on message_recipient (account_id, at desc);

-- Learners who once agreed to news by mail. Kept for a time after the withdrawal, to prove the consent.
create table news_consent (
  account_id uuid primary key references account (id),
  -- The version of the text that the learner agreed to last.
  version text not null,
  agreed_at timestamptz not null,
  withdrawn_at timestamptz,
  -- Signs the links that withdraw it without signing in.
  key bytea not null
);
create index news_consent_withdrawn on news_consent (withdrawn_at) where withdrawn_at is not null;

-- Down Migration

drop table news_consent;
drop table message_recipient;
drop table message;
