/** How hard a question is, by its facility. */
export function difficultyOf(facility: number): 'very_easy' | 'easy' | 'medium' | 'hard' {
  if (facility >= 0.9) return 'very_easy';
  if (facility >= 0.7) return 'easy';
  return facility >= 0.4 ? 'medium' : 'hard';
}

/** How well a question tells those who know from those who do not, by its discrimination. */
export function discriminationOf(value: number): 'good' | 'fair' | 'poor' | 'negative' {
  if (value < 0) return 'negative';
  if (value >= 0.3) return 'good';
  return value >= 0.1 ? 'fair' : 'poor';
}
