/** 14900 øre → "149.00": kroner with two decimals, never a float. */
export function toNok(ore: number): string {
  const digits = String(ore).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
