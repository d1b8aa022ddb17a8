/** Reads a number with a decimal comma or point, and spaces between thousands. NaN if invalid. */
function readNumber(text: string): number {
  const plain = text.replaceAll(/\s/gu, '').replace(',', '.');
  return /^\d+(?:\.\d*)?$|^\.\d+$/u.test(plain) ? Number(plain) : Number.NaN;
}

/**
 * Reads a price in NOK, rounded to two decimals. Null if invalid; the form then sets 0, as specified.
 */
export function readPrice(text: string): number | null {
  const price = readNumber(text);
  return Number.isNaN(price) ? null : Math.round(price * 100) / 100;
}

/**
 * Reads a whole number of at least 1. Null if invalid; the form then sets 30 service days, as specified.
 */
export function readWhole(text: string): number | null {
  const whole = readNumber(text);
  return Number.isInteger(whole) && whole >= 1 ? whole : null;
}
