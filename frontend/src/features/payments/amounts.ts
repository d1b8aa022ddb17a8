/** Reads a typed amount as øre: "50", "49,50", "49.5". Null if invalid. */
export function readKroner(text: string): number | null {
  const [, kroner, decimals = ''] =
    /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  if (kroner === undefined) return null;
  const ore = Number(kroner) * 100 + Number(decimals.padEnd(2, '0'));
  return ore > 0 ? ore : null;
}

/** Formats øre for an input field: 4950 → "49,50", 5000 → "50". */
export function toKroner(ore: number): string {
  const [kroner, rest] = [Math.floor(ore / 100), ore % 100];
  return rest === 0 ? String(kroner) : `${kroner},${String(rest).padStart(2, '0')}`;
}

/**
 * The days that another refund takes back, in addition to those already taken back. The server decides by
 * the same rule: a share of the days, rounded down.
 */
export function daysTakenBackBy(
  ore: number,
  payment: { amount: number; refunded: number; days: number; taken_back: number },
): number {
  const { amount, refunded, days, taken_back } = payment;
  const all = Math.floor((days * Math.min(amount, refunded + ore)) / amount);
  return Math.max(0, all - taken_back);
}
