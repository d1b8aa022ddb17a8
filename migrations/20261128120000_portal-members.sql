-- Up Migration

-- People whom an owner has invited to the portal. Owners are in ADMIN_EMAIL, not here.
create table portal_member (
  id bigint generated always as identity primary key,
  email text not null unique check (email = lower(email)),
  role text not null check (role in ('editor', 'support')),
  invited_by text not null,
  invited_at timestamptz not null default clock_timestamp()
);

-- Down Migration

drop table portal_member;
