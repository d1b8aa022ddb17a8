import { backupAgeSeconds } from '@proveklar/services/database/backup-age.ts';
import { judgeBackup } from '@proveklar/operators/status/judge-service.ts';
import type { Check } from './installation.ts';
import { readBooks } from './read-books.ts';

/** Whether what is in the database could be lost. */
export const backup: Check = {
  name: 'Backup',
  run: (installation) =>
    readBooks(installation, async (db) => [
      judgeBackup(await backupAgeSeconds(db), installation.isProduction),
    ]),
};
