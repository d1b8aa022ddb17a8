import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { backup } from './backup.ts';
import { bank } from './bank.ts';
import { configuration } from './configuration.ts';
import { database } from './database.ts';
import { fault, type Finding } from '@proveklar/operators/status/finding.ts';
import { identity } from './identity.ts';
import { openInstallation, type Check, type Installation } from './installation.ts';
import { mail } from './mail.ts';
import { offer } from './offer.ts';
import { payments } from './payments.ts';
import { queue } from './queue.ts';
import { stripe } from './stripe.ts';
import { web } from './web.ts';
import { webhook } from './webhook.ts';
import { workers } from './workers.ts';

/** In the order in which they are shown: what others rest upon comes first. */
const CHECKS: readonly Check[] = [
  configuration,
  database,
  backup,
  queue,
  workers,
  web,
  identity,
  mail,
  stripe,
  webhook,
  bank,
  offer,
  payments,
];

/** Longer than any of them waits by itself. */
const PATIENCE_MS = 20_000;

export interface Examined {
  check: string;
  findings: Finding[];
}

/** Looks at everything at the same time. Changes nothing. */
export async function examine(
  environment: Record<string, string | undefined>,
  patienceMs = PATIENCE_MS,
): Promise<Examined[]> {
  const installation = openInstallation(environment);
  try {
    return await Promise.all(CHECKS.map((check) => runInTime(check, installation, patienceMs)));
  } finally {
    // A connection that hangs would hold the report back.
    void installation.db?.end().catch(() => {});
  }
}

async function runInTime(
  { name, run }: Check,
  installation: Installation,
  patienceMs: number,
): Promise<Examined> {
  const late = sleep(patienceMs, undefined, { ref: false }).then(() => [
    fault(`no answer within ${patienceMs / 1000} s`, 'See whether this machine reaches it at all.'),
  ]);
  const found = Promise.try(run, installation).catch((error: unknown) => [
    fault(reasonOf(error), 'Read this error; it is one that the check does not know.'),
  ]);
  return { check: name, findings: await Promise.race([found, late]) };
}
