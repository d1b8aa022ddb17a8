import type { ByHandOutcome } from './reconcile-by-hand.ts';

const LABEL_WIDTH = 34;
const NUMBER_WIDTH = 6;

/** What an operator reads of a comparison. */
export function formatReconciliation({ reconciliation, attention }: ByHandOutcome): string {
  const { state, since, unknown_intents: unknown } = reconciliation;
  if (state === 'waiting') {
    return (
      'No worker has begun yet; the comparison is made as soon as one runs.\n' +
      'Start the workers, or compare in this process: the same with --here (npm run reconcile -- --here)\n'
    );
  }
  if (state === 'running') {
    return (
      'The comparison was begun and has not come to its end; it is tried again by itself.\n' +
      'The log of the workers says what stands in its way.\n'
    );
  }
  const persons = Object.values(attention).reduce((sum, count) => sum + count, 0);
  const rows: [string, number][] = [
    ['Events that nobody had told us of', reconciliation.events_missed],
    ['Payments, refunds, disputes read', reconciliation.payments_checked],
    ['Payments changed', reconciliation.payments_changed],
    ['Payments not in our books', unknown.length],
    ['Payments that need a person', persons],
  ];
  const table = rows.map(
    ([label, number]) => `  ${label.padEnd(LABEL_WIDTH)}${String(number).padStart(NUMBER_WIDTH)}`,
  );
  const reasons = Object.entries(attention).map(
    ([reason, count]) => `${reason}: ${count} – see the admin portal, Payments`,
  );
  const unknowns = unknown.map((id) => `${id}: paid at Stripe and not in our books`);
  const last = needsPerson({ reconciliation, attention })
    ? ['', ...unknowns, ...reasons, 'What to do: docs/operations/payments.md, "Reconciliation".']
    : [];
  const day = since?.toISOString().slice(0, 10) ?? '';
  return `Compared with Stripe since ${day}:\n\n${[...table, ...last].join('\n')}\n`;
}

/** Whether it is not over with this: somebody must do something. */
export function needsPerson({ reconciliation, attention }: ByHandOutcome): boolean {
  return (
    reconciliation.state !== 'done' ||
    reconciliation.unknown_intents.length > 0 ||
    Object.keys(attention).length > 0
  );
}
