import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { chmod, mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small file system of its own, which can be filled. */
export interface SmallDisk {
  folder: string;
  /** Takes all space that is left. */
  fill: () => void;
  /** Gives it back. */
  empty: () => void;
  close: () => Promise<void>;
}

const CHUNK = Buffer.alloc(1024 * 1024);
const BLOCK = Buffer.alloc(4096);

/** Mounts one in memory; returns why not where the machine does not allow it (only root may, on Linux). */
export async function mountSmallDisk(megabytes: number): Promise<SmallDisk | string> {
  const folder = await mkdtemp(join(tmpdir(), 'proveklar-disk-'));
  try {
    const size = `size=${megabytes}m,mode=0711`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    await rmdir(folder);
    return `no file system of its own: ${String(error).split('\n')[0]!}`;
  }
  await chmod(folder, 0o711);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      for (const piece of [CHUNK, BLOCK]) {
        try {
          for (;;) writeSync(file, piece);
        } catch {
          // No space is left for another piece of this size.
        }
      }
      closeSync(file);
    },
    empty: () => rmSync(filler, { force: true }),
    async close() {
      execFileSync('umount', [folder]);
      await rmdir(folder);
    },
  };
}
