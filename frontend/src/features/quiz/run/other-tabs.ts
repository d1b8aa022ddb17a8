import { throttleEach } from '#lib/live/throttle.ts';
import { type Owner, storageKey } from './unsent-answers.ts';

/** Mostly an answer that another tab has taken has also arrived by then. */
const DEBOUNCE_MS = 1_000;
const THROTTLE_MS = 1_000;

export type OtherTabsListener = {
  /** Another tab with this quiz has taken an answer, and may have sent it. */
  onAnswer: () => void;
  /** The page is looked at again, or the network is back: another device may have gone on. */
  onReturn: () => void;
};

/**
 * Keeps the tabs of one quiz in step. What a tab keeps until it is confirmed is seen by the others
 * (`storage`); as with live updates that is a hint to read again, so that it does not matter whether
 * one gets lost.
 *
 * @returns what ends it
 */
export function followOtherTabs(owner: Owner, listener: OtherTabsListener): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onReturn = throttleEach(THROTTLE_MS, () => {
    if (!signal.aborted && !document.hidden) listener.onReturn();
  });

  function onStorage({ key }: StorageEvent) {
    if (key !== storageKey(owner)) return;
    clearTimeout(timer);
    timer = setTimeout(listener.onAnswer, DEBOUNCE_MS);
  }
  window.addEventListener('storage', onStorage, { signal });
  for (const name of ['online', 'focus']) {
    window.addEventListener(name, () => onReturn(undefined), { signal });
  }
  document.addEventListener('visibilitychange', () => onReturn(undefined), { signal });
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
