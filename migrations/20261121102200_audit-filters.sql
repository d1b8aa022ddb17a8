-- Up Migration

-- One for each way to filter, all in the order in which they are read.
create index audit_entry_actor on audit_entry (actor, id desc);
create index audit_entry_action on audit_entry (action, id desc);
create index audit_entry_actor_action on audit_entry (actor, action, id desc);

-- Down Migration

drop index audit_entry_actor_action;
drop index audit_entry_action;
drop index audit_entry_actor;
