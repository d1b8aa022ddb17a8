-- Up Migration

-- Mails to somebody without an account, to be found when their addresses are forgotten.
create index mail_to_address on mail (id) where email is not null;

-- Down Migration

drop index mail_to_address;
