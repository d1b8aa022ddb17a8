export type ResultTone = 'excellent' | 'good' | 'low';

/** Thumbs up from 90 %, a sad face below 50 %, neither in between (specification, section 9). */
export function resultTone(score: number, total: number): ResultTone {
  // In whole numbers: 0.9 has no exact binary form, and 9 of 10 must be excellent.
  if (total > 0 && score * 10 >= total * 9) return 'excellent';
  return score * 2 < total ? 'low' : 'good';
}
