import { useSyncExternalStore } from 'react';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { queryClient } from '#lib/query-client.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import { getSession, onSessionChange } from '#lib/session.ts';
import { getImport, importKeys, type ImportOptions, sendFile } from './api.ts';

/** A file that this page sends, or could not send. */
export interface Upload {
  /** Of its import. */
  id: string;
  file: File;
  options: ImportOptions;
  /** ISO 8601. */
  startedAt: string;
  /** Undefined while it is on its way. */
  error?: unknown;
}

// Outside of React: the file goes on when another tab of the portal is opened.
let upload: Upload | null = null;
let sending = new AbortController();
const listeners = new Set<() => void>();

function set(next: Upload | null) {
  upload = next;
  const isSending = next !== null && next.error === undefined;
  // A page that is left takes its request with it.
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

/** The file that is on its way, or the last one if that could not be sent. */
export function useUpload(): Upload | null {
  return useSyncExternalStore(subscribe, () => upload);
}

/**
 * Begins to send a file, in place of one that is still on its way.
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

/** Sends it no more, and forgets it. What its import becomes is said by the server. */
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

/** A connection that broke says nothing of why: the import may know, or the file be gone. */
async function explain(next: Upload, error: unknown, signal: AbortSignal) {
  const known = await getImport(next.id).catch(() => null);
  if (signal.aborted) return;
  if (known && known.state !== 'receiving' && known.refusal?.reason !== 'interrupted') set(null);
  else if (mayPass(error) && !(await isReadable(next.file))) {
    if (!signal.aborted) set({ ...next, error: new ApiError(0, 'file_changed', 'File changed') });
  } else if (!signal.aborted) set({ ...next, error });
}

/** A file that was changed or removed since it was chosen cannot be read any more. */
function isReadable(file: File): Promise<boolean> {
  const first = file.slice(0, 1).arrayBuffer();
  return first.then(
    () => true,
    () => false,
  );
}
