-- Up Migration

-- A role that changed is kept as every other change, so that the log shows its name.
update audit_entry set details = jsonb_build_object('changes', jsonb_build_object('role', details))
where action in ('member.invited', 'member.withdrawn') and details ? 'after';

-- Down Migration

update audit_entry set details = details -> 'changes' -> 'role'
where action in ('member.invited', 'member.withdrawn') and details ? 'changes';
