import type { Import } from '@proveklar/contract/imports.ts';
import { request } from '#lib/api-client.ts';
import { saveFile } from '#lib/save-file.ts';

/** The part of the File System Access API that is used here; not every browser has it. */
interface FilePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{
    createWritable: () => Promise<WritableStream<Uint8Array>>;
  }>;
}

/** A report of more rows is better written to the disk while it comes than kept in memory first. */
const MANY_ROWS = 200_000;

/**
 * Saves the report of an import as a CSV file, where the browser saves files or where one chooses.
 *
 * @throws DOMException named AbortError when one chooses not to; ApiError
 */
export async function downloadReport(one: Import): Promise<void> {
  const suggestedName = `${(one.file_name ?? 'import').replace(/\.\w+$/, '')}-report.csv`;
  const reported = one.rejected + one.duplicates + one.updated;
  const picker = window as unknown as FilePicker;
  const file = reported > MANY_ROWS ? await picker.showSaveFilePicker?.({ suggestedName }) : null;
  const response = await request(`/admin/imports/${one.id}/report`, { signedIn: true });
  if (file && response.body) await response.body.pipeTo(await file.createWritable());
  else saveFile(await response.blob(), suggestedName);
}
