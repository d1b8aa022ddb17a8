import { useEffect, useRef } from 'react';

/** The most that the API takes. */
const MAX_SHOWN_MS = 3_600_000;

/** The part of `document` that is used. */
type Page = Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>;

/** Measures how long a question is shown, without the time in which the page is hidden. */
export function startShownTimer(page: Page = document, now = () => performance.now()) {
  let shownMs = 0;
  let shownSince = page.hidden ? undefined : now();
  const read = () => shownMs + (shownSince === undefined ? 0 : now() - shownSince);
  function onVisibility() {
    shownMs = read();
    shownSince = page.hidden ? undefined : now();
  }
  page.addEventListener('visibilitychange', onVisibility);
  return {
    /** In whole milliseconds, at most an hour. */
    read: () => Math.min(MAX_SHOWN_MS, Math.max(0, Math.round(read()))),
    stop: () => page.removeEventListener('visibilitychange', onVisibility),
  };
}

/**
 * How long a question has been shown since it was painted, in milliseconds; undefined before that, and for a
 * question that is not `measured`.
 */
export function useShownMs(question: string, measured: boolean): () => number | undefined {
  const started = useRef<ReturnType<typeof startShownTimer> & { of: string }>(undefined);
  useEffect(() => {
    if (!measured) return undefined;
    // A hidden page paints nothing: its frame comes when it is shown.
    const frame = requestAnimationFrame(() => {
      started.current = { ...startShownTimer(), of: question };
    });
    return () => {
      cancelAnimationFrame(frame);
      started.current?.stop();
      started.current = undefined;
    };
  }, [question, measured]);
  return () => (started.current?.of === question ? started.current.read() : undefined);
}
