-- Up Migration

-- Whether a message has mails that wait, asked every ten seconds: a message may have a million recipients.
create index message_recipient_queued on message_recipient (message_id) where state = 'queued';
-- The users of the portal by the end of their access, as services/accounts/users.ts sorts them.
create index account_expires on account ((coalesce(service_expires_at, 'infinity')), id) where state <> 'deleted';
-- The mails to the address of a person. Few are stored by address.
create index mail_email on mail (email) where email is not null;

-- Down Migration

drop index account_expires, mail_email, message_recipient_queued;
