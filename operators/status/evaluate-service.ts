import { PROCESS_STALE_S, type RunningProcess } from '@proveklar/services/database/processes.ts';
import type { Connections, OffsiteBackups } from '@proveklar/services/database/check-database.ts';
import type { ImportActivity } from '@proveklar/services/imports/read-imports.ts';
import type { MailActivity } from '@proveklar/services/mail/send-once.ts';
import type { Facts } from './facts.ts';
import {
  coded,
  duration,
  fault,
  type Finding,
  ok,
  unchecked,
  unreadable,
  warning,
} from './finding.ts';
import {
  BACKUP_FAULT_S,
  CONNECTIONS_WARNING_SHARE,
  IDENTITY_SILENT_S,
  PROCESS_MISSED_S,
  MIN_REFUSED_MAILS,
  REFUSED_MAILS_SHARE,
  RESTORE_TEST_WARNING_S,
  STRIPE_READ_FAULT_S,
} from './thresholds.ts';

/** Whether learners can practise. */
export function evaluatePractice({ quizzes }: Pick<Facts, 'quizzes'>): Finding {
  if (!quizzes) return unreadable('quizzes');
  if (!quizzes.hasQuestions) {
    const found = fault('there is no validated question', 'Import questions, and validate them.');
    return coded('no_questions', found);
  }
  if (quizzes.lastSeconds === null) return coded('no_quiz', ok('no quiz has been started yet'));
  const { lastSeconds: seconds } = quizzes;
  return coded('last_quiz', ok(`the last quiz was started ${duration(seconds)} ago`), {
    ago_s: seconds,
  });
}

/**
 * Whether learners can pay: workers call Stripe every minute, with the key that payments use. It reports
 * no fault of Stripe while it is the workers that make no calls.
 */
export function evaluatePaying(facts: Facts): Finding {
  const { reconciled, priceOre, processes, flows } = facts;
  if (priceOre === 0) return coded('free', ok('the service is free of charge'));
  if (!reconciled) return unreadable('payments');
  const { missedSeconds: seconds } = reconciled;
  if (seconds !== null && seconds <= STRIPE_READ_FAULT_S) {
    return coded('stripe_answered', ok(`Stripe answered ${duration(seconds)} ago`), {
      ago_s: seconds,
    });
  }
  const hasWorkers =
    processes?.some((process) => process.kind === 'workers' && isLive(process)) ?? false;
  if (!hasWorkers) {
    return coded('stripe_no_workers', unchecked('no workers run, so Stripe is not called'));
  }
  if (flows?.payments?.state !== 'flowing') {
    return coded('stripe_queue_stuck', unchecked('the queue payments is stuck'));
  }
  if (seconds === null) {
    return coded(
      'stripe_uncalled',
      warning('Stripe has not been called yet', 'Check again in a minute.'),
    );
  }
  const found = fault(
    `Stripe has not answered for ${duration(seconds)}`,
    'Run the doctor: it says what Stripe answers. See also https://status.stripe.com.',
    seconds,
  );
  return coded('stripe_silent', found, { for_s: seconds });
}

/** Whether learners can sign in: the identity provider is polled every minute. */
export function evaluateSignIn({ identity }: Facts): Finding {
  const { answeredSeconds: seconds, problem } = identity;
  if (problem === null && seconds === null) {
    return coded('identity_first', ok('the first check of the identity provider is running'));
  }
  if (seconds !== null && seconds <= IDENTITY_SILENT_S) {
    return coded(
      'identity_answered',
      ok(`the identity provider answered ${duration(seconds)} ago`),
      {
        ago_s: seconds,
      },
    );
  }
  const reason = problem ?? 'no response';
  const found = fault(
    `the identity provider does not answer: ${reason}`,
    'Run the doctor, and let this host reach https://identitytoolkit.googleapis.com.',
    seconds ?? undefined,
  );
  return coded('identity_silent', found, { problem: reason });
}

/** A fault that stops everything that learners do; undefined when there is none. */
export function findOutage({ databaseMs, processes }: Facts): Finding | undefined {
  if (databaseMs === undefined) {
    const advice = 'Start PostgreSQL, or read in its log what is wrong.';
    return coded('database_silent', fault('PostgreSQL does not answer', advice));
  }
  if (processes && !processes.some((process) => process.kind === 'gateway' && isLive(process))) {
    const advice = 'Start the gateway, or read in its log why it exits.';
    return coded('no_gateway', fault('no gateway runs', advice));
  }
  return undefined;
}

/** Whether the last backup is recent enough. */
export function evaluateBackup(ageSeconds: number | undefined, isProduction: boolean): Finding {
  if (ageSeconds === undefined) {
    const found = 'there has never been a backup';
    if (!isProduction) return coded('backup_never', ok(found));
    const advice = 'Start the backup service, or record your own backups in backup_run.';
    return coded('backup_never', warning(found, advice));
  }
  const ago = `the last backup is ${duration(ageSeconds)} old`;
  const age = { age_s: ageSeconds };
  if (ageSeconds <= BACKUP_FAULT_S) return coded('backup_age', ok(ago), age);
  const late = fault(ago, 'Read in the log of the backup service why it failed.', ageSeconds);
  return coded('backup_age', late, age);
}

/** Whether a recent backup is off the machine, and whether one was restored from there as a test. */
export function evaluateOffsite(
  offsite: OffsiteBackups | undefined,
  isProduction: boolean,
): Finding[] {
  if (!offsite) {
    const found = 'no backup is sent off this machine';
    if (!isProduction) return [coded('offsite_off', ok(found))];
    const advice =
      'Set RESTIC_REPOSITORY and start the service offsite, or record your own copies in backup_copy.';
    return [coded('offsite_off', warning(found, advice))];
  }
  return [evaluateCopy(offsite), evaluateRestoreTest(offsite)];
}

function evaluateCopy({ sentSeconds, triedSeconds }: OffsiteBackups): Finding {
  const advice = 'Read in the log of the service offsite why no backup is sent.';
  if (sentSeconds === null) {
    const found = 'no backup has been sent off this machine yet';
    const isLate = triedSeconds > BACKUP_FAULT_S;
    return coded('offsite_never', isLate ? fault(found, advice) : warning(found, advice));
  }
  const found = `the last backup off this machine is ${duration(sentSeconds)} old`;
  const age = { age_s: sentSeconds };
  if (sentSeconds <= BACKUP_FAULT_S) return coded('offsite_age', ok(found), age);
  return coded('offsite_age', fault(found, advice, sentSeconds), age);
}

function evaluateRestoreTest({ verifiedSeconds, triedSeconds }: OffsiteBackups): Finding {
  const advice =
    'Read in the log of the service offsite why a copy cannot be restored. Do not trust the copies until one is.';
  const isLate = (verifiedSeconds ?? triedSeconds) > RESTORE_TEST_WARNING_S;
  const of = (found: string) => (isLate ? warning(found, advice) : ok(found));
  if (verifiedSeconds === null)
    return coded('restore_test_never', of('no copy has been restored as a test yet'));
  return coded(
    'restore_test_ago',
    of(`a copy was restored as a test ${duration(verifiedSeconds)} ago`),
    { ago_s: verifiedSeconds },
  );
}

/** Whether other mail servers accept our mails. */
export function evaluateMails({ sent, refused }: MailActivity): Finding {
  const counts = { refused, all: sent + refused };
  const found = `${refused} of ${sent + refused} mails of the last day were refused`;
  if (refused < MIN_REFUSED_MAILS || refused < (sent + refused) * REFUSED_MAILS_SHARE) {
    if (refused === 0) return coded('mails_accepted', ok('no mail of the last day was refused'));
    return coded('mails_refused', ok(found), counts);
  }
  const advice = 'Run the doctor: it checks the DNS records that other mail servers look for.';
  return coded('mails_refused', warning(found, advice), counts);
}

/** Whether imports of questions fail. */
export function evaluateImports({ receiving, working, failed }: ImportActivity): Finding {
  if (failed > 0) {
    const found = warning(
      `${failed} ${failed === 1 ? 'import' : 'imports'} of the last day failed`,
      'Read the reason in the admin portal, under Import, and import the file again.',
    );
    return coded('imports_failed', found, { count: failed });
  }
  if (receiving + working === 0) return coded('imports_none', ok('no import is running'));
  const running = ok(`${receiving} uploading, ${working} being processed`);
  return coded('imports_running', running, { receiving, working });
}

/** Whether PostgreSQL has connections left. */
export function evaluateConnections({ used, max }: Connections): Finding {
  const found = `${used} of ${max} connections are used`;
  if (used < max * CONNECTIONS_WARNING_SHARE) return coded('connections', ok(found), { used, max });
  const advice = 'Lower DATABASE_POOL, raise max_connections, or put a pooler in between.';
  return coded('connections', warning(found, advice), { used, max });
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
    ...(kinds.has('gateway') ? [] : [coded('no_gateway', fault('no gateway runs', SEE_LOG))]),
    ...(kinds.has('workers') ? [] : [coded('no_workers', fault('no workers run', SEE_LOG))]),
    ...Map.groupBy(lost, ({ kind, host }) => `${kind} ${host}`)
      .values()
      .map(toLostFinding),
  ];
  if (versions.size > 1) {
    const list = [...versions].toSorted().join(', ');
    const several = warning(`versions ${list} run at the same time`, 'Finish the release.');
    findings.push(coded('versions', several, { versions: list }));
  }
  return findings.length > 0 ? findings : [coded('processes_report', ok('all report in'))];
}

/** One that is killed again and again is one finding. */
function toLostFinding(lost: RunningProcess[]): Finding {
  const [{ kind, host }] = lost as [RunningProcess];
  const seconds = Math.min(...lost.map(({ seen_seconds_ago: ago }) => ago));
  const advice = 'Read in its log why; other processes have taken over its work.';
  const values = { kind, host, ago_s: seconds };
  if (lost.length === 1) {
    const found = `the ${kind} on ${host} stopped without shutting down ${duration(seconds)} ago`;
    return coded('process_lost', warning(found, advice, seconds), values);
  }
  const found = `the ${kind} on ${host} stopped ${lost.length} times without shutting down, the last time ${duration(seconds)} ago`;
  return coded('processes_lost', warning(found, advice, seconds), {
    ...values,
    times: lost.length,
  });
}

const SEE_LOG = 'Start it, or read in its log why it exits.';
