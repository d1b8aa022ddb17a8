const KEY = 'proveklar.shown-question';

/** The question that this tab showed last; it survives a reload, not the tab. */
export function readShown(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function writeShown(uuid: string): void {
  try {
    sessionStorage.setItem(KEY, uuid);
  } catch {
    // Blocked or full: after a reload the next question comes then.
  }
}
