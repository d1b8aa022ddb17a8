/** A number as people write it: with comma or point, and spaces between thousands. NaN for none. */
function readNumber(text: string): number {
  const plain = text.replaceAll(/\s/gu, '').replace(',', '.');
  return /^\d+(?:\.\d*)?$|^\.\d+$/u.test(plain) ? Number(plain) : Number.NaN;
}

/**
 * A price in NOK with two decimals at most, or null for what is none. Specification, section 5:
 * what is invalid becomes 0.
 */
export function readPrice(text: string): number | null {
  const price = readNumber(text);
  return Number.isNaN(price) ? null : Math.round(price * 100) / 100;
}

/**
 * A whole number of at least 1, or null. Specification, section 5: service days that are invalid
 * become 30.
 */
export function readWhole(text: string): number | null {
  const whole = readNumber(text);
  return Number.isInteger(whole) && whole >= 1 ? whole : null;
}
