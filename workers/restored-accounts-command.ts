import { parseArgs } from 'node:util';
import type { PaymentDeps } from '@proveklar/services/payments/payment.ts';
import {
  alignWithUser,
  compareWithUsers,
  type RestoredAccount,
} from '@proveklar/services/privacy/restored-accounts.ts';
import { withPayments } from './with-payments.ts';

// `node workers/restored-accounts-command.ts [--apply] [--at-most 20]`, after the database was restored
// (docs/operations/backup.md). The exit code is 1 while accounts differ from the users of the sign-in service.

/** More than this part of all accounts, and more than `AT_MOST`, are rather a wrong project than deletions. */
const SUSPICIOUS_PART = 0.05;
const AT_MOST = 20;

interface Options {
  /** Deletes and disables; otherwise only lists. */
  apply: boolean;
  /** How many accounts may be gone; by default 20, or a twentieth of all. */
  atMost: number | null;
}

/**
 * Lists the accounts whose users are gone or disabled, and deletes or disables them.
 *
 * @returns what to print, and how many still differ
 */
export async function alignRestoredAccounts(
  deps: PaymentDeps,
  { apply, atMost }: Options,
): Promise<{ text: string; left: number }> {
  const { accounts, differing } = await compareWithUsers(deps);
  const gone = differing.filter(({ user }) => user === 'gone').length;
  const head = `${accounts} accounts compared with the users of the sign-in service.`;
  if (differing.length === 0) return { text: `${head} None is gone or disabled there.\n`, left: 0 };
  const lines = [head, '', ...differing.map(lineOf), ''];
  const most = atMost ?? Math.max(AT_MOST, Math.floor(accounts * SUSPICIOUS_PART));
  if (gone > most) {
    lines.push(
      `${gone} are gone, more than ${most}. Is FIREBASE_PROJECT_ID the project of these accounts?`,
      `If it is, repeat the command with --at-most ${gone}.`,
    );
    return { text: `${lines.join('\n')}\n`, left: differing.length };
  }
  if (!apply) {
    lines.push('Nothing was changed. With --apply, they are deleted here, or disabled.');
    return { text: `${lines.join('\n')}\n`, left: differing.length };
  }
  for (const account of differing) await alignWithUser(deps, account);
  lines.push(`Deleted: ${gone}. Disabled: ${differing.length - gone}.`);
  return { text: `${lines.join('\n')}\n`, left: 0 };
}

const lineOf = ({ user, uid, email, registered_at }: RestoredAccount) =>
  `  ${user.padEnd(9)} ${uid}  ${email}, registered ${registered_at.toISOString().slice(0, 10)}`;

if (import.meta.main) {
  const { values } = parseArgs({
    options: { apply: { type: 'boolean', default: false }, 'at-most': { type: 'string' } },
  });
  const { 'at-most': given } = values;
  if (given !== undefined && !/^\d+$/.test(given)) {
    process.stderr.write(`--at-most must be a whole number, not "${given}".\n`);
    process.exit(2);
  }
  const atMost = given === undefined ? null : Number(given);
  const failed = 'The accounts could not be compared';
  await withPayments({ command: 'restored-accounts', failed }, async (deps) => {
    const { text, left } = await alignRestoredAccounts(deps, { apply: values.apply, atMost });
    process.stdout.write(text);
    process.exitCode = left > 0 ? 1 : 0;
  });
}
