-- Up Migration

create index account_name_part on account using gin (lower(display_name) gin_trgm_ops)
  where state <> 'deleted';
create index account_registered on account (registered_at desc, id desc) where state <> 'deleted';

-- Down Migration

drop index account_registered, account_name_part;
