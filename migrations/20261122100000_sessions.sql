-- Up Migration

-- A token from a sign-in before this moment is refused. Null until sessions were first ended.
alter table account add column tokens_valid_after timestamptz;
-- Whether a sign-in has shown that the address belongs to the user. Null for accounts from before this
-- column, until their next sign-in.
alter table account add column email_verified boolean;

-- Down Migration

alter table account drop column email_verified;
alter table account drop column tokens_valid_after;
