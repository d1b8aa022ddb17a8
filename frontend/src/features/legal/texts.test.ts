import { globSync, readFileSync } from 'node:fs';
import { PRERENDERED } from '@proveklar/contract/page.ts';
import { describe, expect, test } from 'vitest';
import { VERB_FIRST } from '#lib/test-support.ts';
import type { LegalBlock, LegalDocument } from './legal-document.ts';
import { LEGAL_DOCUMENTS } from './legal-document.ts';

const read = async (language: 'no' | 'en', name: string) =>
  ((await import(`./texts/${language}/${name}.ts`)) as { default: LegalDocument }).default;

/** The type and size of a block, which must be the same in every language. */
function shapeOf(block: LegalBlock): unknown {
  if (typeof block === 'string') return 'paragraph';
  if ('list' in block) return { list: block.list.length };
  if ('steps' in block) return { steps: block.steps.length };
  if ('stored' in block) return { stored: block.stored.map(([name]) => name) };
  if ('facts' in block) return { facts: block.facts.map(({ rows }) => rows.length) };
  return block;
}

const addressesOf = (document: LegalDocument) =>
  Array.from(JSON.stringify(document).matchAll(/\]\(([^)]+)\)/g), ([, address]) => address!);

describe.each(LEGAL_DOCUMENTS)('%s', (name) => {
  test('has the same sections and links in both languages', async () => {
    const [no, en] = await Promise.all([read('no', name), read('en', name)]);
    const outline = ({ changes, sections }: LegalDocument) => ({
      changes: changes.length,
      sections: sections.map(({ id, blocks }) => ({ id, blocks: blocks.map(shapeOf) })),
    });
    expect(outline(en)).toEqual(outline(no));
    expect(addressesOf(en)).toEqual(addressesOf(no));
    expect(en.note).toContain('the Norwegian text decides');
    const ids = no.sections.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each(['no', 'en'] as const)(
    'has no placeholders, only known links and no condition that begins with its verb (%s)',
    async (at) => {
      const document = await read(at, name);
      expect(JSON.stringify(document)).not.toMatch(/\{\{|TODO|TBD|XX|lorem|""/i);
      if (at === 'no') expect(JSON.stringify(document)).not.toMatch(VERB_FIRST);
      for (const address of addressesOf(document)) {
        const known = Object.hasOwn(PRERENDERED, address) || address === '/quiz?tab=account';
        expect(known || /^https:\/\/[\w.-]+\.(no|com)(\/|$)/.test(address), address).toBe(true);
      }
    },
  );
});

test('the cookies page names everything that is stored in a browser', async () => {
  const src = new URL('../../', import.meta.url).pathname;
  const files = globSync(`${src}{app,components,features,i18n,lib}/**/*.{ts,tsx}`).filter(
    (file) => !/features\/legal\/|\.test\./.test(file),
  );
  const code = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const keys = Array.from(
    code.matchAll(/'(proveklar\.[\w-]+)|\b(?:STORED|KEY) = '([\w-]+)'/g),
    ([, ours, other]) => ours ?? other!,
  );
  expect(keys.length).toBeGreaterThan(10);
  for (const language of ['no', 'en'] as const) {
    const text = JSON.stringify(await read(language, 'cookies'));
    expect(keys.filter((key) => !text.includes(key))).toEqual([]);
  }
});
