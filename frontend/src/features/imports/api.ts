import type {
  BeginUploadRequest,
  DecideRowRequest,
  Import,
  ImportEditsResponse,
  ImportPreview,
  ImportRowsResponse,
  ImportsResponse,
  RowFilter,
} from '@proveklar/contract/imports.ts';
import type {
  DismissNearDuplicateRequest,
  NearDuplicatesResponse,
  SameAnsweredResponse,
} from '@proveklar/contract/near-duplicates.ts';
import type {
  QuestionChange,
  QuestionChangeRequest,
} from '@proveklar/contract/question-changes.ts';
import type { QuestionsResponse } from '@proveklar/contract/questions.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, request } from '#lib/api-client.ts';
import { saveFile } from '#lib/save-file.ts';
import { isRunning, isSearched } from './import-state.tsx';

export const importKeys = {
  all: ['admin', 'imports'] as const,
  list: (page: number) => [...importKeys.all, 'list', page] as const,
  one: (id: string) => [...importKeys.all, 'one', id] as const,
  /** Not below `all`: the outcome of a row does not change while other imports run. */
  rows: (id: string, outcome: string) => ['admin', 'import-rows', id, outcome] as const,
  /** Not below `all` either: a list must not move while it is being reviewed. */
  similar: (id: string) => ['admin', 'import-similar', id] as const,
};

/** The rows that were not simply imported, in the order of the file, 50 at a time. */
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

/** A fallback for live updates, which come more often. */
const POLL_INTERVAL_MS = 5_000;

export function getImport(id: string, signal?: AbortSignal): Promise<Import> {
  const path = `/admin/imports/${encodeURIComponent(id)}`;
  return api<Import>(path, { signedIn: true, ...(signal ? { signal } : {}) });
}

/**
 * An import, polled while it runs.
 *
 * @param isSending this page is sending its file, so the import may not exist yet
 */
export const importQuery = (id: string, isSending = false) =>
  queryOptions({
    queryKey: importKeys.one(id),
    queryFn: ({ signal }) => getImport(id, signal),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      isSending || (state.data && (isRunning(state.data.state) || isSearched(state.data)))
        ? POLL_INTERVAL_MS
        : false,
  });

export const IMPORTS_PER_PAGE = 20;

/** One page of the imports, the newest first; the previous page stays until it is loaded. */
export const importsQuery = (page: number) =>
  queryOptions({
    queryKey: importKeys.list(page),
    queryFn: ({ signal }) =>
      api<ImportsResponse>(`/admin/imports?page=${page}`, { signedIn: true, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.imports.some((one) => isRunning(one.state)) ? POLL_INTERVAL_MS : false,
  });

export const PAIRS_PER_PAGE = 20;
/** The API counts no further. */
export const MAX_PAIRS = 10_000;

export type PairAnswer = 'same' | 'different';

/**
 * One page of an import's near-duplicates with the same answer or with different ones, the most similar first.
 *
 * @param isOver whether the search has ended, which reloads the list
 */
export const similarQuestionsQuery = (
  id: string,
  { page, answer, isOver }: { page: number; answer: PairAnswer; isOver: boolean },
) =>
  queryOptions({
    queryKey: [...importKeys.similar(id), answer, page, isOver],
    queryFn: ({ signal }) =>
      api<NearDuplicatesResponse>(
        `/admin/imports/${id}/near-duplicates?page=${page}&answer=${answer}`,
        { signedIn: true, signal },
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/**
 * Retires one question of each pair with the same answer. A change names a thousand questions, so there may be several.
 *
 * @returns the changes, which can be undone
 */
export async function retireSameAnswered(
  importId: string,
  which: 'newer' | 'older',
): Promise<QuestionChange[]> {
  const changes: QuestionChange[] = [];
  for (;;) {
    const path = `/admin/imports/${importId}/near-duplicates/same-answered?which=${which}`;
    // One change after the other: each shortens the list.
    const { ids } = await api<SameAnsweredResponse>(path, { signedIn: true });
    if (ids.length === 0) return changes;
    const body: QuestionChangeRequest = { action: 'retire', selection: { ids } };
    const change = await api<QuestionChange>('/admin/question-changes', {
      method: 'POST',
      signedIn: true,
      body,
    });
    changes.push(change);
    // Nothing more can be retired.
    if (change.changed === 0) return changes;
  }
}

/**
 * - `cancel`: while it runs; nothing of the file is imported
 * - `confirm`, `discard`: after a dry run
 * - `undo`: of a completed one
 */
export type ImportAction = 'cancel' | 'confirm' | 'discard' | 'undo';

/** Safe to retry: it returns the current import. */
export function actOnImport(id: string, action: ImportAction): Promise<Import> {
  return api(`/admin/imports/${id}/${action}`, { method: 'POST', signedIn: true });
}

/** Decides about a row with other answers: it updates the question, or is added with another text. */
export function decideRow(id: string, row: number, body: DecideRowRequest): Promise<Import> {
  const path = `/admin/imports/${id}/rows/${row}/decision`;
  return api(path, { method: 'POST', signedIn: true, body });
}

/** Cancels the search for near-duplicates; the results so far stay. */
export function cancelSearch(importId: string): Promise<Import> {
  const path = `/admin/imports/${importId}/near-duplicates/cancel`;
  return api(path, { method: 'POST', signedIn: true });
}

/** Marks a near-duplicate as a different question, or undoes that. */
export function keepBoth(importId: string, question: number, dismissed: boolean): Promise<unknown> {
  const body: DismissNearDuplicateRequest = { dismissed };
  const path = `/admin/imports/${importId}/near-duplicates/${question}/dismiss`;
  return api(path, { method: 'POST', signedIn: true, body });
}

/** By a bulk change of one question, which can be undone; deleting an unused question could not. */
export function retireQuestion(question: number): Promise<QuestionChange> {
  const body: QuestionChangeRequest = { action: 'retire', selection: { ids: [question] } };
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

export function undoRetiring(change: string): Promise<QuestionChange> {
  return api(`/admin/question-changes/${change}/undo`, { method: 'POST', signedIn: true });
}

/** The part of the File System Access API that is used; not every browser has it. */
interface FilePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<{
    createWritable: () => Promise<WritableStream<Uint8Array>>;
  }>;
}

/** A longer report is streamed to the disk instead of being collected in memory. */
const MAX_ROWS_IN_MEMORY = 200_000;

/** Saves the report of an import as a CSV file, see `saveRows`. */
export function downloadReport(one: Import, language: string): Promise<void> {
  const rows = one.rejected + one.duplicates + one.updated + (one.warned ?? 0);
  return saveRows(one, { path: 'report', language, rows, suffix: 'report.csv' });
}

/** Saves the rejected rows of an import, and those with another answer, in the format of its file. */
export function downloadRejected(one: Import, language: string): Promise<void> {
  const rows = one.rejected + (one.differing ?? 0);
  const extension = isWorkbook(one) ? 'xlsx' : one.columns ? 'csv' : 'json';
  const suffix = `${language === 'no' ? 'avvist' : 'rejected'}.${extension}`;
  return saveRows(one, { path: 'rejected-rows', language, rows, suffix });
}

/** Whether the file was a workbook, whatever its name says: only that has no delimiter. */
export const isWorkbook = ({ columns }: Pick<Import, 'columns'>): boolean =>
  columns?.delimiter === '';

/**
 * Saves a file about rows of an import, as a download or where the user chooses.
 *
 * @throws DOMException named AbortError when the user cancels; ApiError
 */
async function saveRows(
  one: Import,
  {
    path,
    language,
    rows,
    suffix,
  }: Record<'path' | 'language' | 'suffix', string> & { rows: number },
): Promise<void> {
  const suggestedName = `${(one.file_name ?? 'import').replace(/(?:\.\w+){1,2}$/, '')}-${suffix}`;
  const picker = window as unknown as FilePicker;
  const file =
    rows > MAX_ROWS_IN_MEMORY ? await picker.showSaveFilePicker?.({ suggestedName }) : null;
  const url = `/admin/imports/${one.id}/${path}?lng=${language}`;
  const response = await request(url, { signedIn: true });
  if (file && response.body) await response.body.pipeTo(await file.createWritable());
  else saveFile(await response.blob(), suggestedName);
}

export interface ImportOptions {
  dryRun: boolean;
  onDuplicate: 'skip' | 'update';
  /** The field of each column of a table, in place of its headings; '' is not read. */
  columns?: readonly string[];
  /** The sheet of a workbook. */
  sheet?: string;
}

const MAX_NAME_LENGTH = 255;
const TYPES = {
  json: 'application/json',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** Begins the import of a file that is sent in parts. Safe to retry. */
export function beginUpload(
  id: string,
  file: File,
  { dryRun, onDuplicate, ...choices }: ImportOptions,
  signal: AbortSignal,
): Promise<Import> {
  const body: BeginUploadRequest = {
    format: fileFormat(file.name) ?? 'json',
    bytes: file.size,
    file_name: file.name.slice(0, MAX_NAME_LENGTH),
    dry_run: dryRun,
    on_duplicate: onDuplicate,
    ...choicesOf(choices),
  };
  const headers = { 'idempotency-key': id };
  return api('/admin/imports', { method: 'POST', signedIn: true, headers, body, signal });
}

/**
 * Sends a file from an offset on. The browser reads it from the disk while sending, so its size does not matter. Resolves
 * once the server has received all of it.
 */
export function sendPart(
  id: string,
  file: File,
  { offset, checksum }: { offset: number; checksum: string | undefined },
  signal: AbortSignal,
): Promise<Import> {
  return api(`/admin/imports/${id}/file`, {
    method: 'PATCH',
    signedIn: true,
    headers: {
      'content-type': 'application/octet-stream',
      'upload-offset': String(offset),
      ...(checksum !== undefined && { 'upload-checksum': checksum }),
    },
    body: file.slice(offset),
    signal,
  });
}

/** The imports whose upload was interrupted, the newest first. */
export const pausedOf = ({ imports }: ImportsResponse): Import[] =>
  imports.filter(({ state }) => state === 'paused');

/** The number of an import's questions that are not validated. Read again when questions change, as its key says. */
export const pendingQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'questions', 'pending-of-import', id],
    queryFn: ({ signal }) =>
      api<QuestionsResponse>(`/questions?import_id=${id}&validation=pending`, {
        signedIn: true,
        signal,
      }),
    select: ({ total }) => total,
    staleTime: 0,
  });

/** The questions of an import that were edited since; undoing it deletes the edits. */
export const editedSinceQuery = (id: string) =>
  queryOptions({
    queryKey: [...importKeys.one(id), 'edited'],
    queryFn: ({ signal }) =>
      api<ImportEditsResponse>(`/admin/imports/${id}/edits`, { signedIn: true, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** Starts validating every question of an import; the workers complete it. */
export function validateImport(id: string): Promise<QuestionChange> {
  const body: QuestionChangeRequest = { action: 'validate', selection: { import_id: id } };
  return api('/admin/question-changes', { method: 'POST', signedIn: true, body });
}

/** What the user chose about a table. */
export type TableChoices = Pick<ImportOptions, 'columns' | 'sheet'>;

const choicesOf = ({ columns, sheet }: TableChoices): Record<string, string> => ({
  ...(columns && { columns: columns.join(',') }),
  ...(sheet !== undefined && { sheet }),
});

/** Enough for the first rows of a file; a workbook is sent whole, as the list of its parts is at its end. */
const PREVIEW_BYTES = 256 * 1024;

/** How a file would be read. */
export const previewQuery = (file: File, choices: TableChoices) =>
  queryOptions({
    queryKey: ['admin', 'import-preview', file.name, file.size, file.lastModified, choices],
    queryFn: ({ signal }) => {
      const format = fileFormat(file.name) ?? 'json';
      return api<ImportPreview>(`/import/preview?${new URLSearchParams(choicesOf(choices))}`, {
        method: 'POST',
        signedIn: true,
        headers: { 'content-type': TYPES[format] },
        body: format === 'xlsx' ? file : file.slice(0, PREVIEW_BYTES),
        signal,
      });
    },
    placeholderData: keepPreviousData,
    retry: false,
    // The file may be changed and chosen again under the same name.
    gcTime: 0,
  });

/**
 * By the file's name, because the MIME type that browsers give CSV files depends on installed software. A file that is
 * packed with gzip has a second ending.
 */
export function fileFormat(name: string): Import['format'] | undefined {
  const plain = name.toLowerCase().replace(/\.gz$/, '');
  const format = (['json', 'csv', 'xlsx'] as const).find((known) => plain.endsWith(`.${known}`));
  return format === 'xlsx' && plain !== name.toLowerCase() ? undefined : format;
}
