import { describe, expect, it } from 'vitest';
import { nynorsk, question, times, useBankFolder } from './test-bank.ts';

const { lint } = useBankFolder();

const AT = 'historie.nn.json[0] (historie-001)';

async function faultsOf(changes: Record<string, unknown>): Promise<string[]> {
  const { source_url, source_title, checked_at } = changes;
  const shared = { source_url, source_title, checked_at };
  const { faults } = await lint({
    'historie.no.json': [question(1, shared)],
    'historie.nn.json': [nynorsk(1, changes)],
  });
  return faults;
}

describe('a language in which a part of the bank exists', () => {
  it('has no faults, and is counted', async () => {
    const { faults, topics, figures } = await lint({
      'historie.no.json': [question(1), question(2)],
      'historie.nn.json': [nynorsk(2)],
    });
    expect(faults).toEqual([]);
    expect(topics).toMatchObject([{ questions: 2, nynorsk: 1 }]);
    expect(figures).toContain('Of the bank in nn: 1 of 2, longest – %, tone – %, LIX –');
  });

  it.each([
    [
      'a group without a bokmål twin',
      { group: 'historie-009' },
      'historie.nn.json[0]: group "historie-009" has no twin in historie.no.json',
    ],
    [
      'another name of the topic',
      { topic: 'Soga' },
      'historie.nn.json[0]: topic is not "Historie"',
    ],
    ['other tags', { tags: ['pensjon'] }, `${AT}: tags differ from the Norwegian twin`],
    [
      'options in another order',
      { answer: '1814' },
      `${AT}: numbers of the options, in their order, differ from the Norwegian twin`,
    ],
    [
      'an answer far longer',
      { answer: 'Bergen, som ligg på Vestlandet ved havet' },
      `${AT}: answer is over 1.6 times the mean length of the others`,
    ],
    ['some infinitives', { answer: 'Å bu i Bergen' }, `${AT}: only some options begin with "å"`],
    [
      'absolute words',
      { incorrect: ['Berre Oslo', 'Inga av dei', 'Stavanger'] },
      `${AT}: absolute words (bare, alltid, only, never) in two wrong options and not in the key`,
    ],
    [
      'a link that follows readers',
      {
        source_url: 'https://snl.no/?utm_source=x',
        source_title: 'Leksikon',
        checked_at: '2026-11-23',
      },
      `${AT}: source_url follows its readers: utm_source`,
    ],
  ])('is reported for %s', async (_, changes, fault) => {
    expect(await faultsOf(changes)).toContain(fault);
  });

  // Each of its files is too small to measure.
  const spread = (changes: (n: number) => Record<string, unknown>) =>
    lint({
      'historie.no.json': times(15, (n) => question(n)),
      'historie.nn.json': times(15, (n) =>
        nynorsk(n, { question: `Kva skjedde i år ${n}?`, ...changes(n) }),
      ),
      'geografi.no.json': times(15, (n) => question(n, inGeography(n))),
      'geografi.nn.json': times(15, (n) => nynorsk(n, { ...changes(n), ...inGeography(n) })),
    });
  const inGeography = (n: number) => ({
    topic: 'Geografi',
    group: `geografi-${String(n).padStart(3, '0')}`,
    question: `Kvar er by ${n}?`,
  });

  it('is measured over all topics: reading level', async () => {
    const { faults } = await spread(() => ({
      explanation: 'Regjeringa foreslår oppvarminga kvar haust.',
    }));
    expect(faults).toEqual([expect.stringMatching(/^\*\.nn\.json: LIX is 4\d\.\d$/)]);
  });

  it('is measured over all topics: words of tone', async () => {
    const { faults } = await spread((n) => (n > 2 ? {} : { answer: 'Rettleiing' }));
    expect(faults).toEqual([
      expect.stringContaining('*.nn.json: words of tone'),
      expect.stringContaining('(nn)'),
    ]);
  });

  it('is measured over all topics: words of the question', async () => {
    const { faults } = await spread((n) => (n > 3 ? {} : { answer: 'Skjedd' }));
    expect(faults).toEqual(['the option that repeats the question is the key in 32.5 % (nn)']);
  });
});

describe('the form of Nynorsk', () => {
  it.each([
    [{ explanation: 'Det er ikke slik.' }, '"ikke" is written "ikkje" in our Nynorsk'],
    [{ question: 'Hvor er byen?' }, '"hvor" is written "kor or kvar" in our Nynorsk'],
    [{ answer: 'Norge' }, '"norge" is written "Noreg" in our Nynorsk'],
    [
      { incorrect_reasons: ['Fordi.', 'Derfor.', 'Ho kommer frå Oslo.'] },
      '"kommer" is written "kjem" in our Nynorsk',
    ],
    [{ explanation: 'Du kan be om å gjera det.' }, '"gjera" is written "gjere" in our Nynorsk'],
    [{ explanation: 'Du kan be om å skriva det.' }, 'the infinitive "skriva" does not end in -e'],
  ])('is reported: %o', async (changes, fault) => {
    expect(await faultsOf(changes)).toContain(`${AT}: ${fault}`);
  });

  it('has no faults in words that are also bokmål, and short infinitives', async () => {
    const explanation = 'De må hugse å dra. Gi namnet, og si kva dei et.';
    expect(await faultsOf({ explanation })).toEqual([]);
  });
});
