import type { ErrorBody } from '@proveklar/contract/common.ts';
import { ApiError, NOT_OURS } from './api-error.ts';
import { idToken } from './session.ts';

type RequestOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON; a file is sent unchanged, and `headers` must have its type. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Send the signed-in user's ID token. */
  signedIn?: boolean;
  /** The call itself ends the session, so a refused token is not renewed. */
  endsSessions?: boolean;
  signal?: AbortSignal;
};

async function send(path: string, options: RequestOptions, token: string | null) {
  const headers = new Headers(options.headers);
  if (token) headers.set('authorization', `Bearer ${token}`);
  const { body } = options;
  const isFile = body instanceof Blob;
  if (body !== undefined && !isFile) headers.set('content-type', 'application/json');
  try {
    return await fetch(`/api/v1${path}`, {
      method: options.method ?? 'GET',
      headers,
      body: body === undefined ? null : isFile ? body : JSON.stringify(body),
      signal: options.signal ?? null,
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, 'network', 'No contact with the service');
  }
}

async function toError(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Partial<ErrorBody> | null;
  const error = new ApiError(
    response.status,
    body?.code ?? NOT_OURS,
    body?.error ?? response.statusText,
    body?.details ?? {},
  );
  error.retryAfterS = Number(response.headers.get('retry-after')) || 0;
  return error;
}

/**
 * Calls `/api/v1{path}` and returns the answer with its body unread. Throws ApiError on anything but
 * 2xx.
 */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { signedIn, endsSessions = false } = options;
  const token = signedIn ? await idToken({ endsSessions }) : null;
  let response = await send(path, options, token);
  // A token may have been revoked, or the clocks may differ: retries once with a fresh token.
  if (response.status === 401 && signedIn && !endsSessions) {
    response = await send(path, options, await idToken({ refresh: true }));
  }
  if (!response.ok) throw await toError(response);
  return response;
}

/** Calls `/api/v1{path}` and reads its answer. Throws ApiError on anything but 2xx. */
export async function api<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await request(path, options);
  return (await response.json()) as T;
}
