const storageKey = (quizId: string) => `proveklar.unsent.${quizId}`;

/** Answers that the server has not confirmed, by question; they survive a reload or a crash. */
export function readUnsent(quizId: string): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(quizId)) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch {
    return {};
  }
}

export function writeUnsent(quizId: string, unsent: Record<string, string>): void {
  try {
    if (Object.keys(unsent).length === 0) localStorage.removeItem(storageKey(quizId));
    else localStorage.setItem(storageKey(quizId), JSON.stringify(unsent));
  } catch {
    // Blocked or full: the answers are still in memory and are sent again from there.
  }
}
