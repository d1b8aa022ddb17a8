-- Up Migration

-- Operators work in the portal too. An invitation is accepted by the first call of the invited person.
alter table portal_member drop constraint portal_member_role_check;
alter table portal_member add constraint portal_member_role_check
  check (role in ('editor', 'support', 'operator'));
alter table portal_member add column accepted_at timestamptz;

-- The status as a worker found it last, for the portal: a gateway cannot reach the queues.
create table service_status (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null,
  status jsonb not null
);

-- Down Migration

drop table service_status;
alter table portal_member drop column accepted_at;
delete from portal_member where role = 'operator';
alter table portal_member drop constraint portal_member_role_check;
alter table portal_member add constraint portal_member_role_check
  check (role in ('editor', 'support'));
