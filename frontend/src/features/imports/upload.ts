import { useSyncExternalStore } from 'react';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import { getSession, onSessionChange } from '#lib/session.ts';
import { getImport, importKeys, type ImportOptions, sendFile } from './api.ts';

/** A running or failed upload of this page. */
export interface Upload {
  /** The id of its import. */
  id: string;
  file: File;
  options: ImportOptions;
  /** ISO 8601. */
  startedAt: string;
  /** Undefined while it is running. */
  error?: unknown;
}

// Outside of React, so that the upload goes on when another page of the portal is opened.
let upload: Upload | null = null;
let sending = new AbortController();
const listeners = new Set<() => void>();

function set(next: Upload | null) {
  upload = next;
  const isSending = next !== null && next.error === undefined;
  // Leaving the page would abort its request.
  if (isSending) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
  for (const listener of listeners) listener();
}

function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The running upload, or the last one if it failed. */
export function useUpload(): Upload | null {
  return useSyncExternalStore(subscribe, () => upload);
}

/**
 * Starts an upload, which replaces a running one.
 *
 * @returns the id of its import
 */
export function startUpload(file: File, options: ImportOptions): string {
  stopUpload();
  sending = new AbortController();
  const next: Upload = { id: randomUuid(), file, options, startedAt: new Date().toISOString() };
  set(next);
  void send(next, sending.signal);
  return next.id;
}

/** Stops the upload, and forgets it. The server decides what becomes of its import. */
export function stopUpload(): void {
  sending.abort();
  if (upload) set(null);
}

async function send(next: Upload, signal: AbortSignal) {
  const uid = getSession().user?.uid;
  const forgetSession = onSessionChange(() => {
    if (getSession().user?.uid !== uid) stopUpload();
  });
  try {
    const answer = await sendFile(next.id, next.file, next.options, signal);
    if (!signal.aborted) {
      queryClient.setQueryData(importKeys.one(next.id), answer.import);
      set(null);
    }
  } catch (error) {
    if (!signal.aborted) await explain(next, error, signal);
  } finally {
    forgetSession();
    void queryClient.invalidateQueries({ queryKey: importKeys.all });
  }
}

/** Finds the cause of a broken upload: the import may have it, or the file may have changed. */
async function explain(next: Upload, error: unknown, signal: AbortSignal) {
  const known = await getImport(next.id).catch(() => null);
  if (signal.aborted) return;
  if (known && known.state !== 'receiving' && known.refusal?.reason !== 'interrupted') set(null);
  else if (mayPass(error) && !(await isReadable(next.file))) {
    if (!signal.aborted) set({ ...next, error: new ApiError(0, 'file_changed', 'File changed') });
  } else if (!signal.aborted) set({ ...next, error });
}

/** A file that was changed or removed since it was chosen can no longer be read. */
function isReadable(file: File): Promise<boolean> {
  const first = file.slice(0, 1).arrayBuffer();
  return first.then(
    () => true,
    () => false,
  );
}
