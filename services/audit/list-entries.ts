import type { Queryable } from '#database/pool.ts';

interface AuditEntry {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

/** What is undefined does not filter. */
interface AuditFilter {
  /** Only what lies before the entry of this id. */
  before: string | undefined;
  actor: string | undefined;
  action: string | undefined;
  subject: string | undefined;
}

const PAGE_SIZE = 50;

interface AuditPage {
  entries: AuditEntry[];
  /** `before` of the next page; null when there is none. */
  next_before: string | null;
  /** What there is to filter by. */
  actions: string[];
  actors: string[];
}

/** What administrators did, the newest first, a page at a time. */
export async function listAuditEntries(db: Queryable, filter: AuditFilter): Promise<AuditPage> {
  const { conditions, values } = conditionsOf(filter);
  // Written out for each filter, so that each is read along its own index.
  const { rows } = await db.query<AuditEntry>(
    `select id, at, actor, action, subject, details from audit_entry
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by id desc limit ${PAGE_SIZE + 1}`,
    values,
  );
  const entries = rows.slice(0, PAGE_SIZE);
  return {
    entries,
    next_before: rows.length > PAGE_SIZE ? entries.at(-1)!.id : null,
    actions: await everyValue(db, 'action'),
    actors: await everyValue(db, 'actor'),
  };
}

function conditionsOf({ before, actor, action, subject }: AuditFilter) {
  const wanted = [
    ['id <', before],
    ['actor =', actor?.toLowerCase()],
    ['action =', action],
    ['subject =', subject],
  ].filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    conditions: wanted.map(([condition], index) => `${condition} $${index + 1}`),
    values: wanted.map(([, value]) => value),
  };
}

/** The values of a column that begins an index: from each to the next, whatever lies between. */
async function everyValue(db: Queryable, column: 'action' | 'actor'): Promise<string[]> {
  const { rows } = await db.query<{ value: string }>(
    `with recursive found (value) as (
       (select ${column} from audit_entry order by ${column} limit 1)
       union all
       select (select ${column} from audit_entry where ${column} > value order by ${column} limit 1)
       from found where value is not null)
     select value from found where value is not null`,
  );
  return rows.map(({ value }) => value);
}

/** What administrators did to the user of an address, and why; the newest first. Who they are is left out. */
export async function exportEntries(db: Queryable, email: string) {
  const { rows } = await db.query<{ at: Date; action: string; note: string | null }>(
    `select at, action, details ->> 'note' as note from audit_entry
     where subject = $1 order by id desc`,
    [email],
  );
  return rows.map(({ at, ...entry }) => ({ done_at: at.toISOString(), ...entry }));
}
