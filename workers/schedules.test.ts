import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/** Called when something is deleted, and not by a schedule. */
const CALLED_BY_SERVICES = ['forgetDeletion', 'forgetKeptCodes', 'forgetMail', 'forgetUnsentMails'];

test('a schedule calls each function that deletes what has come to its end', async () => {
  const root = new URL('../', import.meta.url);
  const schedules = await readFile(new URL('workers/schedules.ts', root), 'utf8');
  const missing: string[] = [];
  for await (const file of glob('services/**/*.ts', {
    cwd: root,
    exclude: ['**/node_modules/**'],
  })) {
    const text = await readFile(new URL(file, root), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export async function (forget\w+)/gm)) {
      if (!schedules.includes(` ${name}(tx`) && !schedules.includes(`work: ${name},`))
        missing.push(name);
    }
  }
  expect(missing.toSorted()).toEqual(CALLED_BY_SERVICES);
});
