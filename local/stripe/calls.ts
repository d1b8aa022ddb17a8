import type { KeyKind } from './api-keys.ts';
import type { Params } from './params.ts';
import type { Work } from './work.ts';

/** A request as far as the API is concerned. */
export type Incoming = {
  requestId: string;
  keyKind: KeyKind;
  /** The idempotency key. */
  key: string | null;
  /** Without the query. */
  path: string;
  /** The `:id` in the path, or an empty text. */
  id: string;
  params: Params;
  origin: string;
};

/** What a call is run with. */
export type Call = Pick<Incoming, 'keyKind' | 'id' | 'params' | 'origin'>;

/** One call of the API. */
export type Endpoint = {
  method: 'GET' | 'POST';
  url: string;
  /** Whether the browser may call it too. */
  publishable?: true;
  /** The parameters it knows, besides those that every call may carry. */
  params: readonly string[];
  run(call: Call, work: Work): object;
};
