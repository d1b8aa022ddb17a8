import type {
  ApplyBankGlossaryResponse,
  ChangeGlossaryRequest,
  GlossaryContent,
  GlossaryEntry,
  GlossaryImportResponse,
  GlossaryListResponse,
  UndoGlossaryResponse,
} from '@proveklar/contract/glossary.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, request } from '#lib/api-client.ts';
import { saveFile } from '#lib/save-file.ts';

export type GlossarySearch = { search?: string | undefined; page?: number | undefined };

export const glossaryKeys = {
  all: ['admin', 'glossary'] as const,
  list: (search: GlossarySearch) => [...glossaryKeys.all, 'list', search] as const,
};

/** A page of the entries with `search` in a word or an explanation. */
export function glossaryQuery({ search = '', page = 1 }: GlossarySearch) {
  const parameters = new URLSearchParams({ search, page: String(page) });
  return queryOptions({
    queryKey: glossaryKeys.list({ search, page }),
    queryFn: ({ signal }) =>
      api<GlossaryListResponse>(`/admin/glossary?${parameters.toString()}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

export function createEntry(body: GlossaryContent): Promise<GlossaryEntry> {
  return api('/admin/glossary', { method: 'POST', body, signedIn: true });
}

/** Replaces the content of an entry; 409 `glossary_changed` if it was changed meanwhile. */
export function changeEntry(id: string, body: ChangeGlossaryRequest): Promise<GlossaryEntry> {
  return api(`/admin/glossary/${id}`, { method: 'PUT', body, signedIn: true });
}

export function deleteEntry(id: string): Promise<{ ok: true }> {
  return api(`/admin/glossary/${id}`, { method: 'DELETE', signedIn: true });
}

/** Saves the glossary as a file that can be imported. */
export async function exportGlossary(): Promise<void> {
  const response = await request('/admin/glossary/export', { signedIn: true });
  const today = new Date().toISOString().slice(0, 10);
  saveFile(await response.blob(), `proveklar-glossary-${today}.csv`);
}

export async function importGlossary(file: File): Promise<GlossaryImportResponse> {
  const csv = readText(await file.arrayBuffer());
  return api('/admin/glossary/import', { method: 'POST', body: { csv }, signedIn: true });
}

/** Adds the words of our bank's glossary; those of administrators stay. */
export function applyBankGlossary(): Promise<ApplyBankGlossaryResponse> {
  return api('/admin/glossary/bank', { method: 'POST', signedIn: true });
}

/** Deletes the words of our bank's glossary that no administrator has changed. */
export function undoGlossary(): Promise<UndoGlossaryResponse> {
  return api('/admin/glossary/bank', { method: 'DELETE', signedIn: true });
}

/** Excel saves "CSV" in the code page of Windows, and only "CSV UTF-8" in UTF-8. */
function readText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
