import { createReadStream, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Import, ImportAnswer } from '@proveklar/contract/imports.ts';

// Polls like a page that shows the progress. This adds at most one interval to our side's time.
const POLL_INTERVAL_MS = 100;
const UNDER_WAY = new Set(['receiving', 'processing']);

/**
 * Sends a JSON file to the import as the administrator's page does and waits for its end.
 *
 * @returns the import, and the milliseconds from the first byte sent to the last row visible
 */
export async function importFile(
  url: string,
  token: string,
  file: string,
): Promise<{ ms: number; done: Import }> {
  const began = performance.now();
  const { import_id: id } = await upload(url, token, file);
  for (;;) {
    const done = await readImport(url, token, id);
    if (done.state === 'completed') return { ms: performance.now() - began, done };
    if (!UNDER_WAY.has(done.state)) {
      throw new Error(`The import ended as ${done.state}: ${JSON.stringify(done.refusal)}`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

async function upload(url: string, token: string, file: string): Promise<ImportAnswer> {
  const outgoing = request(`${url}/api/v1/import/questions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': statSync(file).size,
      prefer: 'respond-async',
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
  });
  const [response] = await Promise.all([answered, pipeline(createReadStream(file), outgoing)]);
  const body = await text(response);
  if (response.statusCode !== 202) {
    throw new Error(`The file was refused: ${response.statusCode ?? '?'} ${body}`);
  }
  return JSON.parse(body) as ImportAnswer;
}

async function readImport(url: string, token: string, id: string): Promise<Import> {
  const response = await fetch(`${url}/api/v1/admin/imports/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`The import cannot be read: ${response.status} ${body}`);
  return JSON.parse(body) as Import;
}
