import type { BrowserErrorReport } from '@proveklar/contract/operations.ts';

const MAX_REPORTS = 5;
/** Refusals of the API, which the gateway counts itself, and requests that the page gave up. */
const EXPECTED = new Set(['ApiError', 'AbortError']);

const reported = new Set<string>();

/** Reports an error that no code caught to the operators: at most five different ones until the page is loaded again. */
export function reportBrowserError(event: ErrorEvent | PromiseRejectionEvent): void {
  const [kind, thrown] =
    'reason' in event
      ? (['rejection', event.reason as unknown] as const)
      : (['error', event.error as unknown] as const);
  const report = describeError(thrown, kind, window.location);
  if (!report) return;
  const key = `${report.message} ${report.at}`;
  if (reported.has(key) || reported.size >= MAX_REPORTS) return;
  reported.add(key);
  // Also sent when the page is being left.
  navigator.sendBeacon(
    '/api/v1/browser-errors',
    new Blob([JSON.stringify(report)], { type: 'application/json' }),
  );
}

/** @returns null for an error that is expected, or not of our code: a browser extension's has no line of ours */
export function describeError(
  thrown: unknown,
  kind: BrowserErrorReport['kind'],
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'>,
): BrowserErrorReport | null {
  if (!(thrown instanceof Error) || EXPECTED.has(thrown.name)) return null;
  const ours = thrown.stack?.split('\n').find((line) => line.includes(`${origin}/`));
  if (ours === undefined) return null;
  // File, line and column, without a query.
  const at = /\/[^\s()?#:]*(?:\?[^\s():]*)?((?::\d+){0,2})/.exec(ours.split(origin)[1]!);
  return {
    kind,
    name: thrown.name.slice(0, 60),
    message: withoutIds(thrown.message).slice(0, 300),
    at: `${at![0].split(/[?:]/)[0]}${at![1]}`.slice(0, 200),
    page: withoutIds(pathname).slice(0, 200),
  };
}

/** Ids and the queries of addresses could identify a learner. */
const withoutIds = (text: string) =>
  text
    .replaceAll(/[?#][^\s'"]*/g, '')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, ':id')
    .replaceAll(/\d{4,}/g, ':id');
