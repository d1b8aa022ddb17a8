-- Up Migration

-- What of a mail the server refused: an address that refuses mail gets no reminders and messages any more, and a refused
-- content says nothing about it. Null when it was not recorded: before this migration, and by the release before.
alter table mail add column refused_part text check (refused_part in ('recipient', 'content'));

-- Down Migration

alter table mail drop column refused_part;
