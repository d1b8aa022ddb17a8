import { parseArgs } from 'node:util';
import { DatabaseConfig, parseConfig } from '@proveklar/services/config/config.ts';
import type { QuestionRow } from '@proveklar/contract/imports.ts';
import { listOffered } from '@proveklar/services/languages/languages.ts';
import { createPool, type Database } from '@proveklar/services/database/pool.ts';
import type { ReleaseResult } from '@proveklar/services/questions/bank-release.ts';
import { planRelease, seedQuestions, undoSeed } from './seed-questions.ts';
import { readQuestions } from './seed.ts';

// `npm run bank`. Needs only DATABASE_URL.

const HELP = `Brings a database to this version of our question bank (local/seed/questions).

  npm run bank -- apply --dry-run   says what would change
  npm run bank -- apply             changed questions get a new version, dropped ones are retired, new ones are added
  npm run bank -- undo              undoes the last apply

What administrators have edited, retired or deleted stays as it is, and is listed.
`;

async function apply(db: Database, dryRun: boolean): Promise<string> {
  const questions = await readQuestions();
  if (dryRun) {
    const { missing, ...plan } = await planRelease(db, questions);
    return `${describe(plan, missing.length)}\nNothing was changed.\n`;
  }
  const { imported, ...done } = await seedQuestions(db, questions);
  return `${describe(done, imported)}\n${await describeNotOffered(db, questions)}`;
}

/** Which languages exist is the release's business, and which of them learners get the administrator's. */
async function describeNotOffered(db: Database, questions: QuestionRow[]): Promise<string> {
  const offered = new Set((await listOffered(db)).map(({ code }) => code));
  const others = new Set(questions.map(({ language }) => language)).difference(offered);
  if (others.size === 0) return '';
  return `Learners are not offered: ${[...others].join(', ')}. Change that in the portal, under settings.\n`;
}

function describe(
  { updated, retired, unchanged, kept }: Omit<ReleaseResult, 'missing'>,
  added: number,
): string {
  return [
    `Added ${added}, updated ${updated}, retired ${retired}, unchanged ${unchanged}.`,
    ...(kept.length > 0 ? [`Left as they are: ${kept.length}`] : []),
    ...kept.map(({ group, language, reason }) => `  ${group} (${language}): ${WHY[reason]}`),
  ].join('\n');
}

const WHY = {
  edited: 'edited by an administrator',
  retired: 'retired by an administrator',
  deleted: 'deleted by an administrator',
  duplicate: 'another question has the new text',
};

async function undo(db: Database): Promise<string> {
  const undone = await undoSeed(db);
  return undone === null
    ? 'There is nothing to undo.\n'
    : `Undone: ${undone.restored} questions are as before, and the new ones are gone.\n`;
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
  const { DATABASE_URL } = parseConfig(DatabaseConfig);
  const db = createPool(DATABASE_URL, { applicationName: 'bank' });
  try {
    const text = command === 'undo' ? await undo(db) : await apply(db, values['dry-run']);
    process.stdout.write(text);
  } finally {
    await db.end();
  }
}
