import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A user as stored by the emulator, with the password hash. Declares only the fields that are used here. */
export interface EmulatedUser {
  localId: string;
  validSince?: string;
  [field: string]: unknown;
}

export interface KeptUsers {
  load: () => EmulatedUser[];
  /** Restores the fields of users that the import resets. */
  complete: (kept: EmulatedUser[]) => void;
  save: () => void;
  saveSoon: () => void;
}

const SAVE_THROTTLE_MS = 150;

/** Stores the emulator's users in a file, so that they survive a restart. */
export function userStore(
  dataDir: string,
  current: () => Map<string, EmulatedUser> | undefined,
): KeptUsers {
  const file = join(dataDir, 'users.json');
  let written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  let timer: NodeJS.Timeout | undefined;

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const json = `${JSON.stringify([...(current()?.values() ?? [])], null, 1)}\n`;
    if (json === written) return;
    mkdirSync(dataDir, { recursive: true });
    // Writes a new file and renames it: a process that is killed in between leaves the old file.
    writeFileSync(`${file}.new`, json);
    renameSync(`${file}.new`, file);
    written = json;
  };

  return {
    save,
    saveSoon: () => {
      timer ??= setTimeout(save, SAVE_THROTTLE_MS);
    },
    load: () => (written ? (JSON.parse(written) as EmulatedUser[]) : []),
    complete: (kept) => {
      for (const { localId, validSince } of kept) {
        const user = current()?.get(localId);
        // An import revokes all sessions, but a restart of the stack must not sign users out.
        if (user && validSince) user.validSince = validSince;
      }
    },
  };
}
