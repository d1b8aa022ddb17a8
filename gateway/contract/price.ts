/**
 * 149 → "149 kr", 149.5 → "149,50 kr". Norwegian usage in both languages: they are Norwegian kroner.
 * The gateway writes it into a page and the browser writes it again, so they share it.
 */
export function formatKroner(kroner: number): string {
  const decimals = Number.isInteger(kroner) ? 0 : 2;
  const number = new Intl.NumberFormat('nb-NO', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: 2,
  }).format(kroner);
  return `${number}\u00a0kr`;
}
