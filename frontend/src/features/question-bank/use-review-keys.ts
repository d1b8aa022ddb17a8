import { useEffect, useRef } from 'react';
import { useStored } from '#lib/use-stored.ts';

/** The keys of reviewing: next, previous, validate, edit, retire. */
export type ReviewKey = 'j' | 'k' | 'v' | 'e' | 'r';
const KEYS: readonly string[] = ['j', 'k', 'v', 'e', 'r'] satisfies ReviewKey[];

/** Whether keys are switched on in this browser. A screen reader or speech input may need them off. */
export function useReviewKeysChoice() {
  const [choice, choose] = useStored('proveklar.portal-keys', ['on', 'off'], 'on');
  return [choice === 'on', (on: boolean) => choose(on ? 'on' : 'off')] as const;
}

/**
 * Calls `act` for a key, unless it is typed in a field, held with another key, or a dialog is open. A key that
 * is held down counts once.
 */
export function useReviewKeys(isOn: boolean, act: (key: ReviewKey) => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    function onKeyDown(event: KeyboardEvent) {
      const key = event.key.toLowerCase();
      const isHeld = event.ctrlKey || event.metaKey || event.altKey || event.repeat;
      if (isHeld || event.defaultPrevented || !KEYS.includes(key) || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      latest.current(key as ReviewKey);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button)$/u.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/u.test(target.tagName);
}
