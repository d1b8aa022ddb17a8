/** The domains of most private addresses in Norway. */
const COMMON = [
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'yahoo.com',
  'icloud.com',
  'live.no',
  'online.no',
];

/** Real domains that look like a slip in a common one. */
const OTHERS = new Set(['mail.com', 'ymail.com', 'gmail.no']);

/**
 * The address that was probably meant: the same with a common domain that differs by one slip, such as
 * `gmial.com` or `hotmail.con`. Undefined for every other address. The receipt and the way back in go to
 * the address, so a slip costs more than a question.
 */
export function meantAddress(address: string): string | undefined {
  const [name, domain, ...more] = address.trim().split('@');
  if (!name || !domain || more.length > 0) return undefined;
  const typed = domain.toLowerCase();
  if (COMMON.includes(typed) || OTHERS.has(typed)) return undefined;
  const meant = COMMON.find((common) => isOneSlip(typed, common));
  return meant && `${name}@${meant}`;
}

/** Whether one letter is wrong, missing or too much, or two neighbours are swapped. */
function isOneSlip(typed: string, right: string): boolean {
  let start = 0;
  while (start < typed.length && typed[start] === right[start]) start += 1;
  const [left, wanted] = [typed.slice(start), right.slice(start)];
  const isSwapped = left.slice(0, 2) === `${wanted[1]}${wanted[0]}`;
  return (
    left.slice(1) === wanted.slice(1) ||
    left.slice(1) === wanted ||
    left === wanted.slice(1) ||
    (isSwapped && left.slice(2) === wanted.slice(2))
  );
}
