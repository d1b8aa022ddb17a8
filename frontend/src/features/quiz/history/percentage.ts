/** The share of right answers in whole percent, and whether it is excellent: above 90, as shown. */
export function percentage(
  correct: number,
  total: number,
): { percent: number; excellent: boolean } {
  const percent = total > 0 ? Math.round((correct * 100) / total) : 0;
  return { percent, excellent: percent > 90 };
}
