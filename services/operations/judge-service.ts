import type { Connections } from '#database/read-connections.ts';
import type { ImportActivity } from '#imports/read-import-activity.ts';
import type { MailActivity } from '#mail/read-mail-activity.ts';
import { duration } from './duration.ts';
import { fault, ok, warning, type Finding } from './finding.ts';
import type { RunningProcess } from './processes.ts';
import {
  BACKUP_FAULT_S,
  CONNECTIONS_WARNING_SHARE,
  PROCESS_MISSED_S,
  PROCESS_SILENT_S,
  REFUSED_MAILS,
  REFUSED_MAILS_SHARE,
} from './thresholds.ts';

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
export function judgeConnections({ used, most }: Connections): Finding {
  const found = `${used} of ${most} connections are taken`;
  if (used < most * CONNECTIONS_WARNING_SHARE) return ok(found);
  return warning(found, 'Lower DATABASE_POOL, raise max_connections, or put a pooler in between.');
}

/** Those that run, and those that lately fell silent. */
export function notForgotten(processes: readonly RunningProcess[]): RunningProcess[] {
  return processes.filter(({ seen_seconds_ago: silent }) => silent < PROCESS_MISSED_S);
}

export const isLive = ({ seen_seconds_ago: silent }: RunningProcess): boolean =>
  silent <= PROCESS_SILENT_S;

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
