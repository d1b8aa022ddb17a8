/** An answer of the API other than 2xx, or (status 0) no answer. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable; the key of the translated message. */
  readonly code: string;
  readonly details: Record<string, unknown>;
  /** `Retry-After` in seconds: an earlier retry would be refused. */
  retryAfterS?: number;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** The 4xx that a retry may get past: after a sign-in, faster, or a little later. */
const TRANSIENT_STATUSES = new Set([401, 408, 429]);

/** The code of an answer that is not an API error. */
export const NOT_OURS = 'unknown';

/**
 * Whether a retry of the call may succeed. An intermediary (a proxy, the sign-in page of a network) may
 * refuse it with any status, which says nothing about the call.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === NOT_OURS) return true;
  return error.status < 400 || error.status >= 500 || TRANSIENT_STATUSES.has(error.status);
}
