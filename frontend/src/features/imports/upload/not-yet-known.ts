import type { Import } from '@proveklar/contract/imports.ts';
import { fileFormat } from '../file-format.ts';
import type { Upload } from './upload.ts';

/** What can be shown of an import before the first of its bytes has arrived. */
export function notYetKnown({ id, file, options, startedAt }: Upload): Import {
  return {
    id,
    state: 'receiving',
    dry_run: options.dryRun,
    on_duplicate: options.onDuplicate,
    format: fileFormat(file.name) ?? 'json',
    file_name: file.name,
    imported_by: '',
    created_at: startedAt,
    received_at: null,
    ended_at: null,
    bytes_total: file.size,
    bytes_received: 0,
    bytes_done: 0,
    rows: 0,
    imported: 0,
    updated: 0,
    duplicates: 0,
    rejected: 0,
    not_offered: [],
    refusal: null,
    is_removed: false,
    undone_by: null,
    near_duplicates: null,
  };
}
