/** The states in which the file of an import is read. */
export const READING = ['receiving', 'processing'] as const;

/** The import was ended by somebody else: what is under way has to stop. */
export class ImportEnded extends Error {
  override readonly name = 'ImportEnded';
}
