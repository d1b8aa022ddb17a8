/** Whose answers, and of which quiz: a browser may be shared, and nobody sends another's answers. */
type Owner = { uid: string; quizId: string };

const storageKey = ({ uid, quizId }: Owner) => `proveklar.unsent.${uid}.${quizId}`;

/** Answers that the server has not confirmed, by question; they survive a reload or a crash. */
export function readUnsent(owner: Owner): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(owner)) ?? '{}');
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

export function writeUnsent(owner: Owner, unsent: Record<string, string>): void {
  try {
    if (Object.keys(unsent).length === 0) localStorage.removeItem(storageKey(owner));
    else localStorage.setItem(storageKey(owner), JSON.stringify(unsent));
  } catch {
    // Blocked or full: the answers are still in memory and are sent again from there.
  }
}
