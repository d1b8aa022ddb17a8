import type { Import } from '@proveklar/contract/imports.ts';
import { api } from '#lib/api-client.ts';

/**
 * - `cancel`: while it runs; nothing of the file gets into the bank
 * - `confirm`, `discard`: after a dry run
 * - `undo`: of a completed one
 */
export type ImportAction = 'cancel' | 'confirm' | 'discard' | 'undo';

/** Safe to send again: it answers with the import as it is then. */
export function actOnImport(id: string, action: ImportAction): Promise<Import> {
  return api(`/admin/imports/${id}/${action}`, { method: 'POST', signedIn: true });
}
