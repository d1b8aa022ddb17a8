-- Tables by month, for an installation that has outgrown one table: docs/operations/growing.md says when and how.
-- Running this file changes no table; it creates what is called afterwards.

-- The smallest version-7 UUID of a month: these ids begin with the milliseconds since 1970.
create or replace function first_id_of(month date) returns uuid
  language sql immutable strict
  return (lpad(to_hex((extract(epoch from month) * 1000)::bigint), 12, '0')
          || repeat('0', 20))::uuid;

-- Creates the partitions of a table through a month, where they are missing.
create or replace procedure add_months(parent text, through date)
  language plpgsql as $$
declare
  month date := date_trunc('month', now() at time zone 'UTC' + interval '1 month');
begin
  while month <= through loop
    -- On the last day of a month, the next one is part of the first partition too.
    if to_regclass(format('%s_before_%s', parent, to_char(month + interval '1 month', 'YYYY_MM'))) is null then
      execute format('create table if not exists %I partition of %I for values from (%L) to (%L)',
                     format('%s_%s', parent, to_char(month, 'YYYY_MM')), parent,
                     first_id_of(month), first_id_of((month + interval '1 month')::date));
    end if;
    month := month + interval '1 month';
  end loop;
end $$;

-- Partitions tables by the month in their ids. Each becomes the first partition, `quiz_before_2027_01`, as it is: no row
-- is copied. `keys` are the columns with the version-7 UUID. Tables that refer to each other must be named together.
--
-- The exchange locks the tables for some milliseconds. It waits half a second for the locks, less than PostgreSQL takes
-- for a deadlock, so that no other transaction is ever ended for it, and tries again 100 times. If it fails all the same,
-- call it again before the month ends: until then the constraint `only_before` refuses rows of later months.
create or replace procedure partition_by_month(tables text[], keys text[])
  language plpgsql as $$
declare
  -- At least a day from now: no row of that month comes while this runs.
  month date := date_trunc('month', now() at time zone 'UTC' + interval '1 day') + interval '1 month';
  suffix text := to_char(month, '"_before_"YYYY_MM');
  reference record;
  owned record;
  kept jsonb;
  others jsonb;
begin
  for at in 1 .. cardinality(tables) loop
    if (select relkind = 'p' from pg_class where oid = tables[at]::regclass) then
      raise exception '% is partitioned already: call add_months for more months', tables[at];
    end if;
    perform set_config('lock_timeout', '500ms', true);
    execute format('alter table %I drop constraint if exists only_before', tables[at]);
    execute format('alter table %I add constraint only_before check (%I < %L) not valid',
                   tables[at], keys[at], first_id_of(month));
    commit;
    -- Reads the whole table while others read and write it. Without it the exchange would read it under its lock.
    execute format('alter table %I validate constraint only_before', tables[at]);
    commit;
  end loop;

  for attempt in 1 .. 100 loop
    begin
      perform set_config('lock_timeout', '500ms', true);
      execute (
        select 'lock table ' || string_agg(distinct quote_ident(name), ', ') || ' in access exclusive mode'
        from (
          select unnest(tables) as name
          union select conrelid::regclass::text from pg_constraint
          where contype = 'f' and confrelid::regclass::text = any (tables)
          union select confrelid::regclass::text from pg_constraint
          where contype = 'f' and conrelid::regclass::text = any (tables)
        ) concerned);
      exit;
    exception when lock_not_available then
      if attempt = 100 then raise; end if;
      perform pg_sleep(0.2);
    end;
  end loop;

  -- References to these tables must name the new ones; those to others go with the table.
  select coalesce(jsonb_agg(jsonb_build_object('from', conrelid::regclass::text, 'name', conname,
                                               'definition', pg_get_constraintdef(oid))), '[]')
  into kept from pg_constraint
  where contype = 'f' and conparentid = 0 and confrelid::regclass::text = any (tables);
  for reference in select * from jsonb_to_recordset(kept) as r ("from" text, name text, definition text) loop
    execute format('alter table %I drop constraint %I', reference."from", reference.name);
  end loop;

  for at in 1 .. cardinality(tables) loop
    select coalesce(jsonb_agg(jsonb_build_object('name', conname, 'definition', pg_get_constraintdef(oid))), '[]')
    into others from pg_constraint
    where contype in ('f', 'p', 'u') and conrelid = tables[at]::regclass;

    -- The names of indexes belong to the schema, so the new table can only have them once the old one has others.
    create temporary table its_indexes on commit drop as
      select indexrelid, relname as name, pg_get_indexdef(indexrelid) as definition,
             exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid) as by_constraint
      from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = tables[at]::regclass;
    execute format('alter table %I rename to %I', tables[at], tables[at] || suffix);
    for owned in select * from its_indexes loop
      execute format('alter index %I rename to %I', owned.name, owned.name || suffix);
    end loop;

    execute format('create table %I (like %I including all excluding indexes excluding statistics) partition by range (%I)',
                   tables[at], tables[at] || suffix, keys[at]);
    execute format('alter table %I drop constraint only_before', tables[at]);
    for owned in select * from jsonb_to_recordset(others) as r (name text, definition text) loop
      execute format('alter table %I add constraint %I %s', tables[at], owned.name, owned.definition);
    end loop;
    for owned in select * from its_indexes where not by_constraint loop
      execute owned.definition;
    end loop;
    drop table its_indexes;

    execute format('alter table %I attach partition %I for values from (minvalue) to (%L)',
                   tables[at], tables[at] || suffix, first_id_of(month));
    -- For months that were not added in time.
    execute format('create table %I partition of %I default', tables[at] || '_default', tables[at]);
    call add_months(tables[at], (month + interval '11 months')::date);
  end loop;

  for reference in select * from jsonb_to_recordset(kept) as r ("from" text, name text, definition text) loop
    execute format('alter table %I add constraint %I %s not valid',
                   reference."from", reference.name, reference.definition);
  end loop;
  commit;

  for reference in select * from jsonb_to_recordset(kept) as r ("from" text, name text) loop
    execute format('alter table %I validate constraint %I', reference."from", reference.name);
    commit;
  end loop;
end $$;
