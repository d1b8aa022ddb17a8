import type {
  DismissNearDuplicateRequest,
  Import,
  ImportAnswer,
  ImportRowsResponse,
  ImportsResponse,
  NearDuplicatesResponse,
  RowFilter,
} from '@proveklar/contract/imports.ts';
import type { QuestionChange, QuestionChangeRequest } from '@proveklar/contract/questions.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, request } from '#lib/api-client.ts';
import { saveFile } from '#lib/save-file.ts';
import { isRunning, isSearched } from './import-state.tsx';

export const importKeys = {
  all: ['admin', 'imports'] as const,
  list: (page: number) => [...importKeys.all, 'list', page] as const,
  one: (id: string) => [...importKeys.all, 'one', id] as const,
  /** Apart from the others: what became of a row does not change while other imports go on. */
  rows: (id: string, outcome: string) => ['admin', 'import-rows', id, outcome] as const,
  /** Apart too: a list that is gone through must not move while the search goes on. */
  similar: (id: string) => ['admin', 'import-similar', id] as const,
};

/** What became of the rows that did not simply go in, in the order of the file, 50 at a time. */
export const importRowsQuery = (id: string, outcome: RowFilter) =>
  infiniteQueryOptions({
    queryKey: importKeys.rows(id, outcome),
    queryFn: ({ pageParam, signal }) =>
      api<ImportRowsResponse>(`/admin/imports/${id}/rows?outcome=${outcome}&after=${pageParam}`, {
        signedIn: true,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => last.next_after,
  });

/** Live updates come more often; this is for when they do not come. */
const POLL_MS = 5_000;

export function getImport(id: string, signal?: AbortSignal): Promise<Import> {
  const path = `/admin/imports/${encodeURIComponent(id)}`;
  return api<Import>(path, { signedIn: true, ...(signal ? { signal } : {}) });
}

/**
 * An import, read again and again while it goes on.
 *
 * @param isSending this page is sending its file, so that it may not be there yet
 */
export const importQuery = (id: string, isSending = false) =>
  queryOptions({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => getImport(id, signal),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isSending || (state.data && (isRunning(state.data.state) || isSearched(state.data)))
        ? POLL_MS
        : false,
  });

export const IMPORTS_PER_PAGE = 20;

/** One page of the imports, the newest first; the page before stays until it is here. */
export const importsQuery = (page: number) =>
  queryOptions({
    queryKey: importKeys.list(page),
    queryFn: ({ signal }) =>
      api<ImportsResponse>(`/admin/imports?page=${page}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.imports.some((one) => isRunning(one.state)) ? POLL_MS : false,
  });

export const PAIRS_PER_PAGE = 20;
/** Counting ends here. */
export const MOST_PAIRS = 10_000;

/**
 * One page of an import's questions that are much like others, the most alike first.
 *
 * @param isOver the search has ended: then the list is read again
 */
export const similarQuestionsQuery = (id: string, page: number, isOver: boolean) =>
  queryOptions({
    queryKey: [...importKeys.similar(id), page, isOver],
    queryFn: ({ signal }) =>
      api<NearDuplicatesResponse>(`/admin/imports/${id}/near-duplicates?page=${page}`, {
        signedIn: true,
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

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

/** Ends the search; what was found stays. */
export function cancelSearch(importId: string): Promise<Import> {
  const path = `/admin/imports/${importId}/near-duplicates/cancel`;
  return api(path, { method: 'POST', signedIn: true });
}

/** Says that a question and the one like it are different, or takes that back. */
export function keepBoth(importId: string, question: number, dismissed: boolean): Promise<unknown> {
  const body: DismissNearDuplicateRequest = { dismissed };
  const path = `/admin/imports/${importId}/near-duplicates/${question}/dismiss`;
  return api(path, { method: 'POST', signedIn: true, body });
}

/** As a change of one question, which can be taken back: deleting an unused one could not be. */
export function retireQuestion(question: number): Promise<QuestionChange> {
  const body: QuestionChangeRequest = { action: 'retire', selection: { ids: [question] } };
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

export function undoRetiring(change: string): Promise<QuestionChange> {
  return api(`/admin/question-changes/${change}/undo`, { method: 'POST', signedIn: true });
}

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

/** Begins to validate every question of an import; the rest is done without us. */
export function validateImport(id: string): Promise<QuestionChange> {
  const body: QuestionChangeRequest = { action: 'validate', selection: { import_id: id } };
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

/** By its name, as the browser's idea of a CSV file's type depends on what is installed. */
export function fileFormat(name: string): 'json' | 'csv' | undefined {
  return (['json', 'csv'] as const).find((format) => name.toLowerCase().endsWith(`.${format}`));
}
