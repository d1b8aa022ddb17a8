import { parseArgs } from 'node:util';
import type { BankReleasePlan, KeptReason } from '@proveklar/contract/bank-releases.ts';
import {
  applyRelease,
  planRelease,
  undoRelease,
  withBankLock,
} from '@proveklar/services/bank-releases/apply-release.ts';
import { readRelease } from '@proveklar/services/bank-releases/read-release.ts';
import { BankConfig, parseConfig } from '@proveklar/services/config/config.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import { findLatestRelease } from '@proveklar/services/questions/bank-release.ts';

// `npm run bank`. Needs only DATABASE_URL. Administrators do the same in the portal.

const HELP = `Applies this version of our question bank (local/seed/questions) to a database, or undoes it.

  npm run bank -- apply --dry-run   says what would change
  npm run bank -- apply             changed questions get a new version, dropped ones are retired, new ones are added
  npm run bank -- undo              undoes the last apply

What administrators have edited, retired or deleted stays as it is, and is listed.
`;

async function apply(db: Database, dir: string, dryRun: boolean): Promise<string> {
  const release = await readRelease(dir);
  const plan = await planRelease(db, release);
  if (dryRun) return `${describe(plan)}\nNothing was changed.\n`;
  const done = await applyRelease(db, release.questions);
  return `${describe(done)}\n${describeNotOffered(plan)}`;
}

/** Which languages exist is the release's business, and which of them learners get the administrator's. */
function describeNotOffered({ languages }: BankReleasePlan): string {
  const others = languages.filter(({ offered }) => !offered).map(({ language }) => language);
  if (others.length === 0) return '';
  return `Learners are not offered: ${others.join(', ')}. Change that in the portal, under settings.\n`;
}

type Counts = Pick<BankReleasePlan, 'added' | 'updated' | 'retired' | 'unchanged'> & {
  kept: { group: string; language: string; reason: KeptReason }[];
};

function describe({ added, updated, retired, unchanged, kept }: Counts): string {
  return [
    `Added ${added}, updated ${updated}, retired ${retired}, unchanged ${unchanged}.`,
    ...(kept.length > 0 ? [`Left as they are: ${kept.length}`] : []),
    ...kept.map(({ group, language, reason }) => `  ${group} (${language}): ${WHY[reason]}`),
  ].join('\n');
}

const WHY: Record<KeptReason, string> = {
  edited: 'edited by an administrator',
  retired: 'retired by an administrator',
  deleted: 'deleted by an administrator',
  duplicate: 'another question has the new text',
};

async function undo(db: Database): Promise<string> {
  const latest = await findLatestRelease(db);
  if (latest === null) return 'There is nothing to undo.\n';
  const { restored } = await undoRelease(db, latest);
  return `Undone: ${restored} questions are as before, and the new ones are gone.\n`;
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const [command] = positionals;
  if (positionals.length !== 1 || (command !== 'apply' && command !== 'undo')) {
    process.stderr.write(HELP);
    process.exit(2);
  }
  const { DATABASE_URL, BANK_DIR } = parseConfig(BankConfig);
  const db = createPool(DATABASE_URL, { applicationName: 'bank' });
  try {
    const text = await withBankLock(
      db,
      () => (command === 'undo' ? undo(db) : apply(db, BANK_DIR, values['dry-run'])),
      { wait: true },
    );
    process.stdout.write(text!);
  } finally {
    await db.end();
  }
}
