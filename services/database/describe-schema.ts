import type { Queryable } from './pool.ts';

const DESCRIPTION = `
  with line as (
    select c.relname as table_name, 0 as kind, 0 as place,
           'table ' || c.relname || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')
             as text
    from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'migration'
    union all
    select c.relname, 1, a.attnum,
           '  ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
             || case when a.attnotnull then ' not null' else '' end
             || case a.attidentity when 'a' then ' generated always as identity' else '' end
             || coalesce(
                  case a.attgenerated when 's' then ' generated always as ' else ' default ' end
                    || pg_get_expr(d.adbin, d.adrelid), '')
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped and c.relnamespace = 'public'::regnamespace
    union all
    select c.relname, 2, 0, '  constraint ' || o.conname || ' ' || pg_get_constraintdef(o.oid)
    from pg_constraint o join pg_class c on c.oid = o.conrelid
    where c.relnamespace = 'public'::regnamespace and o.contype <> 'n'
    union all
    select c.relname, 3, 0, '  ' || replace(pg_get_indexdef(i.indexrelid), 'public.', '')
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_constraint where conindid = i.indexrelid)
  )
  select string_agg(text, e'\\n' order by kind, place, text) as text
  from line where table_name <> 'migration'
  group by table_name order by table_name`;

/** Describes tables, columns, constraints and indexes as text, in a stable order. */
export async function describeSchema(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ text: string }>(DESCRIPTION);
  return `${rows.map((row) => row.text).join('\n\n')}\n`;
}
