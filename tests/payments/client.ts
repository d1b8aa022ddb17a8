import { setTimeout as sleep } from 'node:timers/promises';

export interface ClientCall {
  path: string;
  body?: object;
  /** Sent as the bearer token. */
  token?: string;
  /** Sent as the idempotency key: one for each click. */
  key?: string;
  /** The client's IP address, as a proxy would send it. */
  address: string;
  /** The browser disconnects after so many milliseconds, with or without an answer. */
  dropAfterMs?: number;
}

export interface ClientAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the caller knows the type of its answer
  body: any;
}

export interface Client {
  /** Retries until the gateway answers. @returns null when the browser disconnected first */
  call: (call: ClientCall) => Promise<ClientAnswer | null>;
  /** Answers that report a fault of ours. There must be none. */
  faults: string[];
}

/** Makes one request, without retries. */
export async function post(
  url: string,
  { path, body, token, key, address }: ClientCall,
  signal: AbortSignal | null = null,
): Promise<ClientAnswer> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'x-forwarded-for': address,
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  });
  return { status: response.status, body: await response.json() };
}

const RETRY_DELAY_MS = 100;
const RETRY_TIMEOUT_MS = 300_000;

/** Calls the gateway as a browser does: retries while no gateway answers. */
export function createClient(url: string): Client {
  const faults: string[] = [];
  async function once(request: ClientCall): Promise<ClientAnswer | 'dropped' | 'unreachable'> {
    const { dropAfterMs } = request;
    const gone = dropAfterMs === undefined ? undefined : AbortSignal.timeout(dropAfterMs);
    try {
      return await post(url, request, gone);
    } catch {
      return gone?.aborted ? 'dropped' : 'unreachable';
    }
  }
  return {
    faults,
    async call(request) {
      const deadline = Date.now() + RETRY_TIMEOUT_MS;
      for (;;) {
        const answer = await once(request);
        if (answer === 'dropped') return null;
        if (answer !== 'unreachable') {
          const { status, body } = answer;
          if (status >= 500 || status === 429) {
            faults.push(`${request.path} answered ${status} ${JSON.stringify(body)}`);
          }
          return answer;
        }
        if (Date.now() > deadline) throw new Error(`${request.path} was not answered`);
        await sleep(RETRY_DELAY_MS);
      }
    },
  };
}
