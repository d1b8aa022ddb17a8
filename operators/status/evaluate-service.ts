import { PROCESS_STALE_S, type RunningProcess } from '@proveklar/services/database/processes.ts';
import type { Connections } from '@proveklar/services/database/check-database.ts';
import type { ImportActivity } from '@proveklar/services/imports/read-imports.ts';
import type { MailActivity } from '@proveklar/services/mail/send-once.ts';
import type { Facts } from './facts.ts';
import { duration, fault, type Finding, ok, unchecked, warning } from './finding.ts';
import {
  BACKUP_FAULT_S,
  CONNECTIONS_WARNING_SHARE,
  IDENTITY_SILENT_S,
  PROCESS_MISSED_S,
  MIN_REFUSED_MAILS,
  REFUSED_MAILS_SHARE,
  STRIPE_READ_FAULT_S,
} from './thresholds.ts';

/** Whether learners can practise. */
export function evaluatePractice({ quizzes }: Pick<Facts, 'quizzes'>): Finding {
  if (!quizzes) return unchecked('quizzes cannot be read');
  if (!quizzes.hasQuestions) {
    return fault('there is no validated question', 'Import questions, and validate them.');
  }
  if (quizzes.lastSeconds === null) return ok('no quiz has been started yet');
  return ok(`the last quiz was started ${duration(quizzes.lastSeconds)} ago`);
}

/**
 * Whether learners can pay: workers call Stripe every minute, with the key that payments use. It reports
 * no fault of Stripe while it is the workers that make no calls.
 */
export function evaluatePaying(facts: Facts): Finding {
  const { reconciled, priceOre, processes, flows } = facts;
  if (priceOre === 0) return ok('the service is free of charge');
  if (!reconciled) return unchecked('payments cannot be read');
  const { missedSeconds: seconds } = reconciled;
  if (seconds !== null && seconds <= STRIPE_READ_FAULT_S) {
    return ok(`Stripe answered ${duration(seconds)} ago`);
  }
  const hasWorkers =
    processes?.some((process) => process.kind === 'workers' && isLive(process)) ?? false;
  if (!hasWorkers) return unchecked('no workers run, so Stripe is not called');
  if (flows?.payments?.state !== 'flowing') return unchecked('the queue payments is stuck');
  if (seconds === null) {
    return warning('Stripe has not been called yet', 'Check again in a minute.');
  }
  return fault(
    `Stripe has not answered for ${duration(seconds)}`,
    'Run the doctor: it says what Stripe answers. See also https://status.stripe.com.',
    seconds,
  );
}

/** Whether learners can sign in: the identity provider is polled every minute. */
export function evaluateSignIn({ identity }: Facts): Finding {
  const { answeredSeconds: seconds, problem } = identity;
  if (problem === null && seconds === null)
    return ok('the first check of the identity provider is running');
  if (seconds !== null && seconds <= IDENTITY_SILENT_S) {
    return ok(`the identity provider answered ${duration(seconds)} ago`);
  }
  return fault(
    `the identity provider does not answer: ${problem ?? 'no response'}`,
    'Run the doctor, and let this host reach https://identitytoolkit.googleapis.com.',
    seconds ?? undefined,
  );
}

/** A fault that stops everything that learners do; undefined when there is none. */
export function findOutage({ databaseMs, processes }: Facts): Finding | undefined {
  if (databaseMs === undefined) {
    return fault(
      'PostgreSQL does not answer',
      'Start PostgreSQL, or read in its log what is wrong.',
    );
  }
  if (processes && !processes.some((process) => process.kind === 'gateway' && isLive(process))) {
    return fault('no gateway runs', 'Start the gateway, or read in its log why it exits.');
  }
  return undefined;
}

/** Whether the last backup is recent enough. */
export function evaluateBackup(ageSeconds: number | undefined, isProduction: boolean): Finding {
  if (ageSeconds === undefined) {
    const found = 'there has never been a backup';
    if (!isProduction) return ok(found);
    return warning(found, 'Start the backup service, or record your own backups in backup_run.');
  }
  const ago = `the last backup is ${duration(ageSeconds)} old`;
  if (ageSeconds <= BACKUP_FAULT_S) return ok(ago);
  return fault(ago, 'Read in the log of the backup service why it failed.', ageSeconds);
}

/** Whether other mail servers accept our mails. */
export function evaluateMails({ sent, refused }: MailActivity): Finding {
  const found = `${refused} of ${sent + refused} mails of the last day were refused`;
  if (refused < MIN_REFUSED_MAILS || refused < (sent + refused) * REFUSED_MAILS_SHARE) {
    return ok(refused > 0 ? found : 'no mail of the last day was refused');
  }
  return warning(
    found,
    'Run the doctor: it checks the DNS records that other mail servers look for.',
  );
}

/** Whether imports of questions fail. */
export function evaluateImports({ receiving, working, failed }: ImportActivity): Finding {
  if (failed > 0) {
    return warning(
      `${failed} ${failed === 1 ? 'import' : 'imports'} of the last day failed`,
      'Read the reason in the admin portal, under Import, and import the file again.',
    );
  }
  if (receiving + working === 0) return ok('no import is running');
  return ok(`${receiving} uploading, ${working} being processed`);
}

/** Whether PostgreSQL has connections left. */
export function evaluateConnections({ used, max }: Connections): Finding {
  const found = `${used} of ${max} connections are used`;
  if (used < max * CONNECTIONS_WARNING_SHARE) return ok(found);
  return warning(found, 'Lower DATABASE_POOL, raise max_connections, or put a pooler in between.');
}

/** Running processes, and those that stopped reporting lately. */
export function recentProcesses(processes: readonly RunningProcess[]): RunningProcess[] {
  return processes.filter(({ seen_seconds_ago: seconds }) => seconds < PROCESS_MISSED_S);
}

export const isLive = ({ seen_seconds_ago: seconds }: RunningProcess): boolean =>
  seconds <= PROCESS_STALE_S;

/** Whether at least one gateway and one worker process run, all of one version. */
export function evaluateProcesses(processes: readonly RunningProcess[]): Finding[] {
  const live = processes.filter(isLive);
  const kinds = new Set(live.map(({ kind }) => kind));
  const versions = new Set(live.map(({ version }) => version));
  const lost = recentProcesses(processes).filter((process) => !isLive(process));
  const findings = [
    ...(kinds.has('gateway') ? [] : [fault('no gateway runs', SEE_LOG)]),
    ...(kinds.has('workers') ? [] : [fault('no workers run', SEE_LOG)]),
    ...lost.map(({ kind, host, seen_seconds_ago: seconds }) =>
      warning(
        `the ${kind} on ${host} stopped without shutting down ${duration(seconds)} ago`,
        'Read in its log why; other processes have taken over its work.',
        seconds,
      ),
    ),
  ];
  if (versions.size > 1) {
    const list = [...versions].toSorted().join(', ');
    findings.push(warning(`versions ${list} run at the same time`, 'Finish the release.'));
  }
  return findings.length > 0 ? findings : [ok('all report in')];
}

const SEE_LOG = 'Start it, or read in its log why it exits.';
