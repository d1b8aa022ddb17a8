import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A user as the emulator holds it, password hash included. Only what is used here is named. */
export interface EmulatedUser {
  localId: string;
  validSince?: string;
  [field: string]: unknown;
}

export interface KeptUsers {
  load: () => EmulatedUser[];
  /** Gives the restored users back what the import resets. */
  complete: (kept: EmulatedUser[]) => void;
  save: () => void;
  saveSoon: () => void;
}

const SAVE_AFTER_MS = 150;

/** Keeps the emulator's users in a file, so that they survive a restart. */
export function usersKeptIn(
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
    // Written beside and renamed: a kill in the middle leaves the file before.
    writeFileSync(`${file}.new`, json);
    renameSync(`${file}.new`, file);
    written = json;
  };

  return {
    save,
    saveSoon: () => {
      timer ??= setTimeout(save, SAVE_AFTER_MS);
    },
    load: () => (written ? (JSON.parse(written) as EmulatedUser[]) : []),
    complete: (kept) => {
      for (const { localId, validSince } of kept) {
        const user = current()?.get(localId);
        // An import ends all sessions; a restart of the stack must not sign all users out.
        if (user && validSince) user.validSince = validSince;
      }
    },
  };
}
