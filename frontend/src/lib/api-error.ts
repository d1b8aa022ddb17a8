/** An answer of the API that is not 2xx, or (status 0) no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  /** Stable; what screens translate by. */
  readonly code: string;
  readonly details: Record<string, unknown>;

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
