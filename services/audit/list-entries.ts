import { type Database, type Queryable, withTransaction } from '#database/pool.ts';
import type { Actor } from './actor.ts';
import { recordAction } from './record-action.ts';

interface AuditEntry {
  id: string;
  at: Date;
  actor: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

/** Undefined fields do not filter. */
interface AuditFilter {
  /** Only entries before the one with this id. */
  before: string | undefined;
  actor: string | undefined;
  action: string | undefined;
  subject: string | undefined;
  /** The first and the last day in Oslo, as `2026-03-14`. */
  from?: string | undefined;
  to?: string | undefined;
  /** Part of the subject, the administrator or the details. */
  search?: string | undefined;
  /** Actions that the search finds too, separated by commas. */
  search_actions?: string | undefined;
  /** Entries on the page; 50 by default. */
  limit?: number | undefined;
}

const PAGE_SIZE = 50;

interface AuditPage {
  entries: AuditEntry[];
  /** `before` of the next page; null on the last page. */
  next_before: string | null;
  /** The values to filter by. */
  actions: string[];
  actors: string[];
}

/** Lists a page of the audit log, newest first. */
export async function listAuditEntries(db: Queryable, filter: AuditFilter): Promise<AuditPage> {
  const { limit = PAGE_SIZE } = filter;
  const { conditions, values } = conditionsOf(filter);
  // One statement for each filter, so that each uses its own index.
  const { rows } = await db.query<AuditEntry>(
    `select id, at, actor, action, subject, details from audit_entry
     ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
     order by id desc limit ${limit + 1}`,
    values,
  );
  const entries = rows.slice(0, limit);
  return {
    entries,
    next_before: rows.length > limit ? entries.at(-1)!.id : null,
    actions: await distinctValues(db, 'action'),
    actors: await distinctValues(db, 'actor'),
  };
}

function conditionsOf(filter: AuditFilter) {
  const { before, actor, action, subject, from, to, search, search_actions: found } = filter;
  const midnight = "at time zone 'Europe/Oslo')";
  const filters: [condition: string, ...values: (string | undefined)[]][] = [
    ['id < ?', before],
    ['actor = ?', actor?.toLowerCase()],
    ['action = ?', action],
    ['subject = ?', subject],
    [`at >= (?::date::timestamp ${midnight}`, from],
    [`at < ((?::date + 1)::timestamp ${midnight}`, to],
    [
      // As its index has it.
      `(lower(subject || ' ' || actor || ' ' || details::text) like lower(?)
        or action = any (string_to_array(?, ',')))`,
      patternOf(search),
      found ?? '',
    ],
  ];
  const values: (string | undefined)[] = [];
  const conditions = filters
    .filter(([, first]) => first !== undefined)
    .map(([condition, ...given]) =>
      given.reduce<string>(
        (text, value) => text.replace('?', () => `$${values.push(value)}`),
        condition,
      ),
    );
  return { conditions, values };
}

/** Finds the text anywhere; undefined when there is none. */
function patternOf(search: string | undefined): string | undefined {
  const text = search?.trim();
  return text ? `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : undefined;
}

/** The distinct values of a column. Jumps from value to value in its index (a loose index scan). */
async function distinctValues(db: Queryable, column: 'action' | 'actor'): Promise<string[]> {
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

/** The actions on the user of an address, with the note; newest first. Leaves out the administrators. */
export async function exportEntries(db: Queryable, email: string) {
  const { rows } = await db.query<{ at: Date; action: string; note: string | null }>(
    `select at, action, details ->> 'note' as note from audit_entry
     where subject = $1 order by id desc`,
    [email],
  );
  return rows.map(({ at, ...entry }) => ({ done_at: at.toISOString(), ...entry }));
}

/** Records the export of the log in the log. Call it before the first part is sent. */
export async function recordLogExport(
  db: Database,
  { actor, filter }: { actor: Actor; filter: AuditFilter },
): Promise<void> {
  const { actor: by, action, subject, from, to, search } = filter;
  const details = { filter: { actor: by, action, subject, from, to, search } };
  await withTransaction(db, (tx) =>
    recordAction(tx, { actor, action: 'audit.exported', subject: 'csv', details }),
  );
}
