import type { Transaction } from '#database/pool.ts';

/** The states in which the file of an import is read. */
export const READING = ['receiving', 'processing'] as const;

/** The import was ended by somebody else: what is under way has to stop. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}

/** Says that an import has moved on, in the transaction that moved it. */
export type Announce = (tx: Transaction) => Promise<void>;
