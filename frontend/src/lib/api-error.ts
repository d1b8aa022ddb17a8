/** An answer of the API that is not 2xx, or (status 0) no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable; what screens translate by. */
  readonly code: string;
  readonly details: Record<string, unknown>;
  /** `Retry-After`, in seconds: sooner it is not worth another try. */
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

/** The 4xx that another try may get past: signed in again, in time, or a little later. */
const PASSING = new Set([401, 408, 429]);

/** The code of an answer that is not in the API's shape. */
export const NOT_OURS = 'unknown';

/**
 * Whether the same call may succeed another time. What stands in between (a proxy, the sign-in page
 * of a network) may refuse it with any status, and knows nothing of the call.
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code === NOT_OURS) return true;
  return error.status < 400 || error.status >= 500 || PASSING.has(error.status);
}
