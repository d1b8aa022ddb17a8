const STORAGE_KEY = 'proveklar.open-quiz';

/** The quiz that this browser was in last, so that the home screen can lead back into it. */
export function readOpenQuiz(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function rememberOpenQuiz(id: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Blocked: the quiz can still be reached by its address.
  }
}

export function forgetOpenQuiz(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Blocked, so nothing was remembered.
  }
}
