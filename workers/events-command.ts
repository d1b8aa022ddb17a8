import { parseArgs } from 'node:util';
import { duration } from '@proveklar/operators/status/finding.ts';
import { DatabaseConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { AppError } from '@proveklar/services/errors/app-error.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import {
  dismissRejected,
  listRejected,
  type RejectedEvent,
  retryRejected,
} from '@proveklar/services/events/rejected-events.ts';

// `node workers/events-command.ts list|retry|dismiss`, or `npm run events`. Needs only DATABASE_URL.

const HELP = `Rejected events: no worker could process them.

  npm run events -- list                          lists the open ones with their reasons
  npm run events -- retry <id> [<id> ...]         queues them again, once each
  npm run events -- retry --all                   queues all open ones again
  npm run events -- dismiss <id> [<id> ...] --reason "why they are not needed"

Options
  --queue <name>   list, retry --all: only those of this queue
  --closed         list: also those retried or dismissed in the last 30 days
  --json           list: one JSON object per line, with the payload
  --by <name>      retry, dismiss: who does it, for the audit log; by default "operator"

In containers: docker compose run --rm worker node workers/events-command.ts list
What to do with them: docs/operations/rejected-events.md
`;

/** The command's output and exit code: 1 when it failed, 2 for a wrong call. */
interface Outcome {
  code: 0 | 1 | 2;
  text: string;
}

/**
 * Lists, retries and dismisses rejected events for an operator.
 *
 * @param args as after `npm run events --`
 * @param open connects to the database; called only by commands that need it
 */
export async function handleRejected(
  args: readonly string[],
  open: () => Promise<Database>,
): Promise<Outcome> {
  try {
    const { positionals, values } = readArguments(args);
    const [name = '', ...rest] = positionals;
    if (values.help || name === '' || name === 'help') return { code: 0, text: HELP };
    const command = COMMANDS[name];
    if (!command) throw new UsageError(`There is no "${name}".`);
    const ids = [...new Set(rest.map(readId))];
    return { code: 0, text: await command(await open(), { ids, values }) };
  } catch (error) {
    if (error instanceof UsageError) return { code: 2, text: `${error.message}\n\n${HELP}` };
    const advice =
      error instanceof AppError && error.code === 'event_not_open'
        ? '"list" shows what is open, "list --closed" the others too.'
        : 'The doctor finds the fault: docs/operations/health.md.';
    // The whole message, because a wrong configuration has one line for each variable.
    const reason = error instanceof Error && error.message ? error.message : reasonOf(error);
    return { code: 1, text: `${reason}\nNothing was changed. ${advice}\n` };
  }
}

/** The maximum number of events that one call lists, or retries with --all. */
const MAX_EVENTS = 500;
const ALL_STATES: RejectedEvent['state'][] = ['open', 'retried', 'dismissed'];

/** A wrong call. The message says how to correct it. */
class UsageError extends Error {}

const OPTIONS = {
  queue: { type: 'string' },
  closed: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  reason: { type: 'string' },
  by: { type: 'string', default: 'operator' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

interface Arguments {
  ids: number[];
  values: ReturnType<typeof readArguments>['values'];
}

/** Others may be closed, or in another queue than the one that was asked for. */
const NONE_FOUND = 'No rejected event matches.\n';

const COMMANDS: Record<string, (db: Database, args: Arguments) => Promise<string>> = {
  async list(db, { values: { queue, closed, json } }) {
    const states = closed ? ALL_STATES : ALL_STATES.slice(0, 1);
    const events = await listRejected(db, { states, ...(queue && { queue }), limit: MAX_EVENTS });
    if (json) return events.map((event) => `${JSON.stringify(event)}\n`).join('');
    if (events.length === 0) return NONE_FOUND;
    const more = events.length === MAX_EVENTS ? `These are the first ${MAX_EVENTS}.\n` : '';
    return `${events.map(describe).join('\n')}${more}`;
  },

  async retry(db, { ids: named, values: { all, queue, by } }) {
    if (all === named.length > 0) throw new UsageError('retry needs ids, or --all.');
    const open = { states: ALL_STATES.slice(0, 1), ...(queue && { queue }), limit: MAX_EVENTS };
    const ids = all ? (await listRejected(db, open)).map(({ id }) => id) : named;
    if (ids.length === 0) return NONE_FOUND;
    await retryRejected(db, { ids, by });
    return (
      `Handed to their queues again: ${ids.join(', ')}.\n` +
      'An event that fails again is rejected again within two minutes: see "list".\n'
    );
  },

  async dismiss(db, { ids, values: { reason: why, by } }) {
    if (ids.length === 0) throw new UsageError('dismiss needs ids.');
    if (!why?.trim()) throw new UsageError('dismiss needs --reason "why they are not needed".');
    await dismissRejected(db, { ids, by, why });
    return `Dismissed: ${ids.join(', ')}.\n`;
  },
};

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(reasonOf(error));
  }
}

function readId(text: string): number {
  const id = Number(text);
  if (!Number.isSafeInteger(id) || id < 1) {
    throw new UsageError(`"${text}" is not the number of an event: "list" shows them.`);
  }
  return id;
}

function describe(event: RejectedEvent): string {
  const { id, name, queue, attempts, rejected_at, reason, sqlstate } = event;
  const { state, closed_by: by, dismissal } = event;
  const since = duration((Date.now() - rejected_at.getTime()) / 1000);
  const times = attempts > 1 ? `, ${attempts} times` : '';
  const why = dismissal === null ? '' : `: ${dismissal}`;
  const closed = by === null ? '' : `    ${state} by ${by}${why}\n`;
  return (
    `${id}  ${name}, queue ${queue}, rejected ${since} ago${times}\n` +
    `    ${reason}${sqlstate ? ` (SQLSTATE ${sqlstate})` : ''}\n` +
    `    event ${event.event_id}, batch ${event.batch_id}\n${closed}`
  );
}

if (import.meta.main) {
  let db: Database | undefined;
  const open = async () => {
    const { DATABASE_URL } = parseConfig(DatabaseConfig);
    db = createPool(DATABASE_URL, { applicationName: 'events', max: 2 });
    return db;
  };
  const { code, text } = await handleRejected(process.argv.slice(2), open);
  (code === 0 ? process.stdout : process.stderr).write(text);
  process.exitCode = code;
  await db?.end();
}
