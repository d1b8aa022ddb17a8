import { toast } from 'sonner';

/** In milliseconds; while the pointer or the focus is on it, a notice stays. */
const READ = 5_000;
const DECIDE = 12_000;

/** Says what has been done. With `undo`, a button takes it back for as long as the notice stands. */
export function notify(text: string, undo?: { label: string; onUndo: () => void }): void {
  toast(text, {
    duration: undo ? DECIDE : READ,
    ...(undo ? { action: { label: undo.label, onClick: undo.onUndo } } : {}),
  });
}
