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
  REFUSED_MAILS,
  REFUSED_MAILS_SHARE,
  STRIPE_READ_FAULT_S,
} from './thresholds.ts';

/** Whether learners can practise. */
export function judgePractise({ quizzes }: Pick<Facts, 'quizzes'>): Finding {
  if (!quizzes) return unchecked('quizzes cannot be read');
  if (!quizzes.hasQuestions) {
    return fault('there is no question to draw', 'Import questions, and validate them.');
  }
  if (quizzes.lastSeconds === null) return ok('nobody has begun a quiz yet');
  return ok(`the last quiz was begun ${duration(quizzes.lastSeconds)} ago`);
}

/**
 * Whether learners can pay: our workers ask Stripe every minute, with the key that payments are made
 * with. Nothing is said of Stripe when it is the workers that do not ask.
 */
export function judgePay(facts: Facts): Finding {
  const { reconciled, priceOre, processes, flows } = facts;
  if (priceOre === 0) return ok('the service is free of charge');
  if (!reconciled) return unchecked('payments cannot be read');
  const { missedSeconds: seconds } = reconciled;
  if (seconds !== null && seconds <= STRIPE_READ_FAULT_S) {
    return ok(`Stripe answered ${duration(seconds)} ago`);
  }
  const hasWorkers = processes?.some((it) => it.kind === 'workers' && isLive(it)) ?? false;
  if (!hasWorkers) return unchecked('no workers run, which ask Stripe every minute');
  if (flows?.payments?.state !== 'flowing') return unchecked('the queue payments does not flow');
  if (seconds === null) {
    return warning('Stripe has not been asked yet', 'Look again in a minute.');
  }
  return fault(
    `Stripe has not answered for ${duration(seconds)}`,
    'Run the doctor: it says what Stripe answers. See also https://status.stripe.com.',
    seconds,
  );
}

/** Whether learners can sign in: the identity provider is asked every minute. */
export function judgeSignIn({ identity }: Facts): Finding {
  const { answeredSeconds: seconds, problem } = identity;
  if (problem === null && seconds === null) return ok('the identity provider is being asked');
  if (seconds !== null && seconds <= IDENTITY_SILENT_S) {
    return ok(`the identity provider answered ${duration(seconds)} ago`);
  }
  return fault(
    `the identity provider does not answer: ${problem ?? 'it is silent'}`,
    'Run the doctor, and let this machine reach https://identitytoolkit.googleapis.com.',
    seconds ?? undefined,
  );
}

/** What stands in the way of everything that learners do; undefined when nothing does. */
export function judgeFoundation({ databaseMs, processes }: Facts): Finding | undefined {
  if (databaseMs === undefined) {
    return fault('PostgreSQL does not answer', 'Start PostgreSQL, or see in its log what ails it.');
  }
  if (processes && !processes.some((it) => it.kind === 'gateway' && isLive(it))) {
    return fault('no gateway runs', 'Start the gateway, or see in its log why it ends.');
  }
  return undefined;
}

/** Whether there is a backup of the last day. */
export function judgeBackup(ageSeconds: number | undefined, isProduction: boolean): Finding {
  if (ageSeconds === undefined) {
    const found = 'no backup was ever made';
    if (!isProduction) return ok(found);
    return warning(found, 'Start the backup service, or record the runs of your own.');
  }
  const ago = `the last backup is of ${duration(ageSeconds)} ago`;
  if (ageSeconds <= BACKUP_FAULT_S) return ok(ago);
  return fault(ago, 'See in the log of the backup service why it made none.', ageSeconds);
}

/** Whether mail servers take our mails. */
export function judgeMails({ sent, refused }: MailActivity): Finding {
  const found = `${refused} of ${sent + refused} mails of the last day were refused`;
  if (refused < REFUSED_MAILS || refused < (sent + refused) * REFUSED_MAILS_SHARE) {
    return ok(refused > 0 ? found : 'no mail of the last day was refused');
  }
  return warning(found, 'Run the doctor: it says what other mail servers look for in our domain.');
}

/** Whether files of questions come into the bank. */
export function judgeImports({ receiving, working, failed }: ImportActivity): Finding {
  if (failed > 0) {
    return warning(
      `${failed} ${failed === 1 ? 'import' : 'imports'} of the last day failed`,
      'Read the reason in the admin portal, under Import, and import the file again.',
    );
  }
  if (receiving + working === 0) return ok('no import is under way');
  return ok(`${receiving} on the way in, ${working} being worked on`);
}

/** Whether there are connections left. */
export function judgeConnections({ used, max }: Connections): Finding {
  const found = `${used} of ${max} connections are taken`;
  if (used < max * CONNECTIONS_WARNING_SHARE) return ok(found);
  return warning(found, 'Lower DATABASE_POOL, raise max_connections, or put a pooler in between.');
}

/** Those that run, and those that lately fell silent. */
export function notForgotten(processes: readonly RunningProcess[]): RunningProcess[] {
  return processes.filter(({ seen_seconds_ago: silent }) => silent < PROCESS_MISSED_S);
}

export const isLive = ({ seen_seconds_ago: silent }: RunningProcess): boolean =>
  silent <= PROCESS_STALE_S;

/** Whether there is a gateway to take requests and a process of workers to do the rest. */
export function judgeProcesses(processes: readonly RunningProcess[]): Finding[] {
  const live = processes.filter(isLive);
  const kinds = new Set(live.map(({ kind }) => kind));
  const versions = new Set(live.map(({ version }) => version));
  const lost = notForgotten(processes).filter((it) => !isLive(it));
  const findings = [
    ...(kinds.has('gateway') ? [] : [fault('no gateway runs', SEE_LOG)]),
    ...(kinds.has('workers') ? [] : [fault('no workers run', SEE_LOG)]),
    ...lost.map(({ kind, host, seen_seconds_ago: silent }) =>
      warning(
        `the ${kind} on ${host} ended without a word ${duration(silent)} ago`,
        'See in its log why; what it had begun others have taken up.',
        silent,
      ),
    ),
  ];
  if (versions.size > 1) {
    const list = [...versions].toSorted().join(', ');
    findings.push(warning(`versions ${list} run`, 'Wait for the release to end, or finish it.'));
  }
  return findings.length > 0 ? findings : [ok('all have spoken lately')];
}

const SEE_LOG = 'Start it, or see in its log why it ends.';
