import { fault, type Finding, ok, warning } from '@proveklar/operators/status/finding.ts';

const NOTICED_MS = 5_000;
const TOO_FAR_MS = 60_000;

/**
 * What a difference between two clocks means: signatures of Stripe and tokens of the identity
 * provider are good for minutes only.
 *
 * @param aheadMs milliseconds by which the other clock is ahead of this machine's
 */
export function compareClocks(other: string, aheadMs: number): Finding {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  const found = `clock of ${other}: ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const advice = 'Let all machines set their clocks by NTP.';
  if (Math.abs(aheadMs) > TOO_FAR_MS) return fault(found, advice);
  if (Math.abs(aheadMs) > NOTICED_MS) return warning(found, advice);
  return ok(`clock of ${other}: the same as here`);
}
