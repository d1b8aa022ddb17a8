import { toast } from 'sonner';

/** A notice stays longer while the pointer or the focus is on it. */
const NOTICE_MS = 5_000;
const UNDO_NOTICE_MS = 12_000;

/** Shows a notice of what was done. With `undo`, the notice has a button that undoes it. */
export function notify(text: string, undo?: { label: string; onUndo: () => void }): void {
  toast(text, {
    duration: undo ? UNDO_NOTICE_MS : NOTICE_MS,
    ...(undo ? { action: { label: undo.label, onClick: undo.onUndo } } : {}),
  });
}
