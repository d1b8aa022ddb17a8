import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const EVERY_MS = 150;
const CHUNK = 64 * 1024;

/**
 * Hears the lines that are appended to a file from now on.
 *
 * @returns what ends it, after a last look
 */
export function tail(file: string, onLine: (line: string) => void): () => void {
  const descriptor = openSync(file, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(CHUNK);
  let position = statSync(file).size;
  let rest = '';

  const look = () => {
    for (;;) {
      const length = readSync(descriptor, buffer, 0, CHUNK, position);
      if (length === 0) return;
      position += length;
      const lines = (rest + decoder.write(buffer.subarray(0, length))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
  };

  const timer = setInterval(look, EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    look();
    closeSync(descriptor);
  };
}
