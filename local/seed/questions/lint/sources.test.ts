import { describe, expect, it } from 'vitest';
import { question, useBankFolder } from './test-bank.ts';

const { lint, faultsOf } = useBankFolder();

const AT = 'historie.no.json[0] (historie-001)';

function from(source_url: string, checked_at = '2026-11-23') {
  return question(1, { source_url, source_title: 'Et leksikon', checked_at });
}

describe('a source', () => {
  it.each([
    ['http://snl.no/a', 'source_url is not https'],
    ['https://', 'source_url is no address'],
    ['https://localhost/a', 'source_url has no public host: localhost'],
    ['https://wiki.internal/a', 'source_url has no public host: wiki.internal'],
    ['https://10.0.0.7/a', 'source_url has no public host: 10.0.0.7'],
    ['https://snl.no:8443/a', 'source_url has no public host: snl.no:8443'],
    ['https://me:secret@snl.no/a', 'source_url has no public host: snl.no'],
    ['https://snl.no/a?fbclid=x', 'source_url follows its readers: fbclid'],
    ['https://snl.no/a?id=1&utm_source=x', 'source_url follows its readers: utm_source'],
  ])('is reported: %s', async (url, fault) => {
    expect(await faultsOf(from(url))).toEqual([`${AT}: ${fault}`]);
  });

  it.each(['https://www.nav.no/a?id=1', 'https://www.språkrådet.no/', 'https://snl.no'])(
    'is valid: %s',
    async (url) => {
      expect(await faultsOf(from(url))).toEqual([]);
    },
  );

  it('is reported without its title or its day', async () => {
    const { source_title: _, ...untitled } = from('https://snl.no');
    expect(await faultsOf(untitled)).toEqual([
      `${AT}: source_url, source_title, checked_at belong together`,
    ]);
  });

  it('is reported when it was read in the future', async () => {
    expect(await faultsOf(from('https://snl.no', '2026-11-24'))).toEqual([
      `${AT}: checked_at is in the future`,
    ]);
  });

  it('asks to look again, as no fault, when it was read more than 24 months ago', async () => {
    const old = await lint({ 'historie.no.json': [from('https://snl.no', '2024-11-22')] });
    expect(old).toMatchObject({
      faults: [],
      warnings: [`${AT}: look again at its source, last read on 2024-11-22`],
    });
    const recent = await lint({ 'historie.no.json': [from('https://snl.no', '2024-11-23')] });
    expect(recent.warnings).toEqual([]);
  });

  it('is counted by host', async () => {
    const { figures } = await lint({
      'historie.no.json': [
        from('https://nav.no/a'),
        { ...from('https://snl.no'), question: 'Hva?', group: 'historie-002' },
        { ...from('https://www.snl.no'), question: 'Hvem?', group: 'historie-003' },
      ],
    });
    expect(figures).toContain('Hosts of sources: 2, snl.no 2, nav.no 1');
  });
});

describe('a fact that ages', () => {
  it('asks to look again, as no fault, in its year', async () => {
    const ageing = (ages: number) => lint({ 'historie.no.json': [question(1, { ages })] });
    expect(await ageing(2026)).toMatchObject({
      faults: [],
      warnings: [`${AT}: look again: it ages in 2026`],
    });
    expect((await ageing(2027)).warnings).toEqual([]);
  });
});
