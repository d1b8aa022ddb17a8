import type { Import } from '@proveklar/contract/imports.ts';
import type { ImportSummary } from '@proveklar/services/imports/read-imports.ts';

/** An import as the API shows it. */
export function toImportBody(found: ImportSummary): Import {
  return {
    ...found,
    state: found.state as Import['state'],
    created_at: found.created_at.toISOString(),
    received_at: found.received_at?.toISOString() ?? null,
    ended_at: found.ended_at?.toISOString() ?? null,
  };
}
