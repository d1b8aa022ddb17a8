const KEY = 'proveklar.shown-question';

/** The question that this tab showed last of this quiz; it survives a reload, not the tab. */
export function readShown(quizId: string): string | null {
  try {
    const [shownOf, uuid] = sessionStorage.getItem(KEY)?.split(' ') ?? [];
    return shownOf === quizId ? (uuid ?? null) : null;
  } catch {
    return null;
  }
}

/** Kept with its quiz: another one may have the same question. */
export function writeShown(quizId: string, uuid: string): void {
  try {
    sessionStorage.setItem(KEY, `${quizId} ${uuid}`);
  } catch {
    // Blocked or full: after a reload the next question comes then.
  }
}
