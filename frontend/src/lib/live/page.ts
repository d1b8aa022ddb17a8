/** What has to be known of the page: `document`. */
export type Page = Pick<Document, 'hidden' | 'addEventListener'>;

/** Resolves when the page is shown, or `signal` aborts. */
export function whenShown(page: Page, signal: AbortSignal): Promise<void> {
  return page.hidden ? pause(Infinity, page, signal) : Promise.resolve();
}

/** Resolves after so many milliseconds, or before, when the page is shown again or `signal` aborts. */
export async function pause(ms: number, page: Page, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve) => {
    if (Number.isFinite(ms)) timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    const onVisibility = () => {
      if (!page.hidden) resolve();
    };
    page.addEventListener('visibilitychange', onVisibility, { signal: over.signal });
  });
  clearTimeout(timer);
  over.abort();
}

/** Calls back when the page has been hidden for so many milliseconds without a break. */
export function onHiddenFor(
  ms: number,
  page: Page,
  signal: AbortSignal,
  callback: () => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (page.hidden) timer = setTimeout(callback, ms);
  };
  look();
  page.addEventListener('visibilitychange', look, { signal });
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
}
