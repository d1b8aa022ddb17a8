import type { ImportAnswer } from '@proveklar/contract/imports.ts';
import { api } from '#lib/api-client.ts';
import { fileFormat } from '../file-format.ts';

export interface ImportOptions {
  dryRun: boolean;
  onDuplicate: 'skip' | 'update';
}

const LONGEST_NAME = 255;
const TYPES = { json: 'application/json', csv: 'text/csv' } as const;

/**
 * Sends a file. The browser reads it from the disk while it sends, so its size does not matter.
 * Answers as soon as all of it is received.
 *
 * @param id becomes the import's id: what is known of it can be read while the file is on its way
 */
export function sendFile(
  id: string,
  file: File,
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportAnswer> {
  const query = new URLSearchParams({
    dry_run: String(options.dryRun),
    on_duplicate: options.onDuplicate,
    file_name: file.name.slice(0, LONGEST_NAME),
  });
  return api(`/import/questions?${query}`, {
    method: 'POST',
    signedIn: true,
    headers: {
      'content-type': TYPES[fileFormat(file.name) ?? 'json'],
      prefer: 'respond-async',
      'idempotency-key': id,
    },
    body: file,
    signal,
  });
}
