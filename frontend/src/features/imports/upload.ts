import type { Import } from '@proveklar/contract/imports.ts';
import { CHUNK_BYTES } from '@proveklar/contract/limits.ts';
import { useSyncExternalStore } from 'react';
import { ApiError, mayPass } from '#lib/api-error.ts';
import { backoff } from '#lib/backoff.ts';
import { queryClient } from '#lib/query-client.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import { getSession, onSessionChange } from '#lib/session.ts';
import { beginUpload, getImport, importKeys, type ImportOptions, sendPart } from './api.ts';

/** A running or failed upload of this page. */
export interface Upload {
  /** The id of its import. */
  id: string;
  file: File;
  options: ImportOptions;
  /** ISO 8601. */
  startedAt: string;
  /** `waiting`: the connection was lost, and is tried again; `resumed`: it was lost before. */
  state: 'sending' | 'waiting' | 'resumed';
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
  // Leaving the page would interrupt it.
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
  return run({ id: randomUuid(), file, options, isNew: true });
}

/** Resumes an upload that was interrupted, with the same file, in this window or another one. */
export function resumeUpload(one: Import, file: File): string {
  const options = { dryRun: one.dry_run, onDuplicate: one.on_duplicate };
  return run({ id: one.id, file, options, isNew: false });
}

/** Stops the upload, and forgets it. The server decides what becomes of its import. */
export function stopUpload(): void {
  sending.abort();
  if (upload) set(null);
}

type Run = Pick<Upload, 'id' | 'file' | 'options'> & { isNew: boolean };

function run({ isNew, ...chosen }: Run): string {
  stopUpload();
  sending = new AbortController();
  const next: Upload = { ...chosen, startedAt: new Date().toISOString(), state: 'sending' };
  set(next);
  void send(next, isNew, sending.signal);
  return next.id;
}

async function send(next: Upload, isNew: boolean, signal: AbortSignal) {
  const uid = getSession().user?.uid;
  const forgetSession = onSessionChange(() => {
    if (getSession().user?.uid !== uid) stopUpload();
  });
  try {
    const sent = await sendAll(next, isNew, signal);
    if (!signal.aborted) {
      queryClient.setQueryData(importKeys.one(next.id), sent);
      set(null);
    }
  } catch (error) {
    if (!signal.aborted) set({ ...next, error });
  } finally {
    forgetSession();
    void queryClient.invalidateQueries({ queryKey: importKeys.all });
  }
}

const RETRY = { min: 1_000, max: 15_000, jitter: [0.5, 1] } as const;

/**
 * Sends a file until the server has all of it, or wants no more. After a lost connection it goes on where the server has
 * got to.
 */
async function sendAll(next: Upload, isNew: boolean, signal: AbortSignal): Promise<Import> {
  let isBegun = !isNew;
  let failures = 0;
  let reached = 0;
  for (;;) {
    try {
      const one = isBegun
        ? await getImport(next.id, signal)
        : await beginUpload(next.id, next.file, next.options, signal);
      isBegun = true;
      if (!isArriving(one)) return one;
      // Another size is another file; the server compares the content.
      if (one.bytes_total !== next.file.size) throw changed();
      if (one.bytes_received > reached) failures = 0;
      reached = one.bytes_received;
      const checksum = await checksumOf(next.file, reached);
      if (upload?.state === 'waiting') set({ ...next, state: 'resumed' });
      const sent = await sendPart(next.id, next.file, { offset: reached, checksum }, signal);
      if (!isArriving(sent)) return sent;
    } catch (error) {
      if (signal.aborted) throw error;
      await requireSameFile(next.file, error);
      set({ ...next, state: 'waiting' });
      await untilRetry(backoff(failures, RETRY), signal);
      failures += 1;
    }
  }
}

const isArriving = ({ state }: Import) => state === 'receiving' || state === 'paused';

const changed = () => new ApiError(0, 'file_changed', 'File changed');

/**
 * @throws the error, if trying again would not help; ApiError `file_changed` when the file was changed or removed since
 *   it was chosen, which the browser reports as a lost connection
 */
async function requireSameFile(file: File, error: unknown): Promise<void> {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'import_upload_changed' || code === 'file_changed') throw changed();
  if (!(await isReadable(file))) throw changed();
  // Another window sends the file, too.
  if (code === 'import_upload_offset') return;
  if (!mayPass(error)) throw error;
}

function isReadable(file: File): Promise<boolean> {
  const first = file.slice(0, 1).arrayBuffer();
  return first.then(
    () => true,
    () => false,
  );
}

/** Waits, or until the browser is online again. */
function untilRetry(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener('online', end, { signal: ended.signal });
    signal.addEventListener('abort', end, { signal: ended.signal });
  });
}

/**
 * `Upload-Checksum` of the beginning of a file: SHA-256 of the digests of its chunks, because a browser cannot hash a
 * file that is larger than its memory at once.
 */
export async function checksumOf(file: Blob, bytes: number): Promise<string | undefined> {
  if (bytes === 0) return undefined;
  const digests = new Uint8Array(32 * Math.ceil(bytes / CHUNK_BYTES));
  for (let at = 0; at < bytes; at += CHUNK_BYTES) {
    const chunk = await file.slice(at, Math.min(bytes, at + CHUNK_BYTES)).arrayBuffer();
    const digest = await crypto.subtle.digest('SHA-256', chunk);
    digests.set(new Uint8Array(digest), (at / CHUNK_BYTES) * 32);
  }
  const all = new Uint8Array(await crypto.subtle.digest('SHA-256', digests));
  return Array.from(all, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
