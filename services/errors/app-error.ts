import { ERROR_MESSAGES, type ErrorCode } from './error-messages.ts';

export interface AppErrorOptions {
  /** Replaces the catalogue's text; must be safe to show to a person. */
  message?: string;
  /** What the code documents: the field, the limit, … */
  details?: Record<string, unknown>;
  cause?: unknown;
}

/** An error that we foresaw. Its code is stable; its message may be shown to a person. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;

  constructor(code: ErrorCode, { message, details, cause }: AppErrorOptions = {}) {
    super(message ?? ERROR_MESSAGES[code], { cause });
    this.code = code;
    this.details = details;
  }
}
