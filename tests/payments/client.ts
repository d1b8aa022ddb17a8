import { setTimeout as sleep } from 'node:timers/promises';

export interface ClientCall {
  path: string;
  body?: object;
  /** Signs the call. */
  token?: string;
  /** The click that the call belongs to. */
  key?: string;
  /** Where it comes from, as a proxy would tell. */
  address: string;
  /** The browser goes away after so many milliseconds, answered or not. */
  dropAfterMs?: number;
}

export interface ClientAnswer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the caller knows what it asked for
  body: any;
}

export interface Client {
  /** Asks until the gateway answers. @returns null when the browser went away first */
  call: (call: ClientCall) => Promise<ClientAnswer | null>;
  /** Answers that say that something is wrong on our side. There must be none. */
  faults: string[];
}

/** Asks once. */
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

const RETRY_MS = 100;
const PATIENCE_MS = 300_000;

/** A browser's view of the gateway: it tries again while nobody answers. */
export function createClient(url: string): Client {
  const faults: string[] = [];
  async function once(wish: ClientCall): Promise<ClientAnswer | 'dropped' | 'unreachable'> {
    const { dropAfterMs } = wish;
    const gone = dropAfterMs === undefined ? undefined : AbortSignal.timeout(dropAfterMs);
    try {
      return await post(url, wish, gone);
    } catch {
      return gone?.aborted ? 'dropped' : 'unreachable';
    }
  }
  return {
    faults,
    async call(wish) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const answer = await once(wish);
        if (answer === 'dropped') return null;
        if (answer !== 'unreachable') {
          const { status, body } = answer;
          if (status >= 500 || status === 429) {
            faults.push(`${wish.path} answered ${status} ${JSON.stringify(body)}`);
          }
          return answer;
        }
        if (Date.now() > deadline) throw new Error(`${wish.path} was not answered`);
        await sleep(RETRY_MS);
      }
    },
  };
}
