import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GLOSSARY_ENTRY_ID,
  importGlossary,
  UNION,
} from '@proveklar/gateway/openapi/examples/glossary.ts';
import { ADMIN_EMAIL } from '@proveklar/gateway/openapi/examples/values.ts';
import { applyBankGlossary } from '@proveklar/services/glossary/glossary-file.ts';
import { createEntry } from '@proveklar/services/glossary/glossary.ts';
import type { TestGateway } from '../gateway.ts';
import { signInAdmin, type Call, type SetUps } from './set-up.ts';

type SignedIn = Call & { token: string; email: string };

async function asAdmin(gateway: TestGateway): Promise<SignedIn> {
  const { email, token } = await signInAdmin(gateway);
  return { token, email, real: { [ADMIN_EMAIL]: email } };
}

/** The administrator has added the word. */
async function withEntry(gateway: TestGateway): Promise<SignedIn & { id: string }> {
  const call = await asAdmin(gateway);
  const { id } = await createEntry(gateway.deps.db, call.email, UNION);
  return { ...call, id, real: { ...call.real, [GLOSSARY_ENTRY_ID]: id } };
}

export const glossarySetUps: SetUps = {
  'readGlossary.one': async (gateway) => {
    await withEntry(gateway);
    return {};
  },

  'listGlossary.found': withEntry,

  'createGlossaryEntry.union': asAdmin,
  'createGlossaryEntry.glossary_word_taken': withEntry,

  'changeGlossaryEntry.clearer': withEntry,
  'changeGlossaryEntry.not_found': async (gateway) => ({
    ...(await withEntry(gateway)),
    path: { id: crypto.randomUUID() },
  }),
  'changeGlossaryEntry.glossary_changed': async (gateway) => ({
    ...(await withEntry(gateway)),
    body: { ...UNION, revision: 7 },
  }),
  'changeGlossaryEntry.glossary_word_taken': async (gateway) => {
    const { email, ...call } = await withEntry(gateway);
    const other = { ...UNION, word: 'forening', forms: [] };
    const { id } = await createEntry(gateway.deps.db, email, other);
    const body = { ...other, forms: ['fagforeningen'], revision: 1 };
    return { ...call, path: { id }, body };
  },

  'deleteGlossaryEntry.union': withEntry,
  'deleteGlossaryEntry.not_found': async (gateway) => ({
    ...(await withEntry(gateway)),
    path: { id: crypto.randomUUID() },
  }),

  'bringGlossary.first': async (gateway) => {
    await gateway.deps.db.query('delete from glossary_entry');
    return asAdmin(gateway);
  },
  'undoGlossary.all': async (gateway) => {
    await gateway.deps.db.query('delete from glossary_entry');
    const { email, ...call } = await asAdmin(gateway);
    const csv = await readFile(join(gateway.deps.config.BANK_DIR, 'glossary.csv'), 'utf8');
    await applyBankGlossary(gateway.deps.db, email, csv);
    return call;
  },

  'importGlossary.one_bad': asAdmin,
  'importGlossary.import_refused': async (gateway) => ({
    ...(await asAdmin(gateway)),
    body: { csv: importGlossary.examples.one_bad!.body!.csv.replace('english', 'engelsk') },
  }),
};
