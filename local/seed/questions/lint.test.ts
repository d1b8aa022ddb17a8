import { describe, expect, it } from 'vitest';
import { lintQuestionBank } from './lint.ts';
import { english, question, useBankFolder } from './lint/test-bank.ts';

type Fields = Record<string, unknown>;

const { lint, faultsOf, dir } = useBankFolder();

const AT = 'historie.no.json[0]';

describe('a valid bank', () => {
  it('has no faults and is counted by topic', async () => {
    const { faults, warnings, topics, counts, figures } = await lint({
      'historie.no.json': [
        question(1, { ages: 2027 }),
        question(2, {
          source_url: 'https://example.no',
          source_title: 'Et leksikon',
          checked_at: '2026-11-23',
        }),
      ],
      'historie.en.json': [
        english(1, { ages: 2027 }),
        english(2, {
          source_url: 'https://example.no',
          source_title: 'Et leksikon',
          checked_at: '2026-11-23',
        }),
      ],
      'geografi.no.json': [
        question(1, { topic: 'Geografi', group: 'geografi-001', question: 'Hvor?' }),
      ],
    });
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    const none = { twins: 0, nynorsk: 0, source: 0, ages: 0, pictures: 0 };
    expect(counts).toEqual({
      questions: 3,
      english: 2,
      nynorsk: 0,
      source: 1,
      reasons: 3,
      pictures: 0,
      valid_from: 0,
      ages: 1,
    });
    expect(figures).toEqual(
      expect.arrayContaining([
        'In bokmål: 3, also in English 2, also in Nynorsk 0, with a source 1, ' +
          'with a reason for each wrong option 3, with a picture to choose a place in 0, ' +
          'with valid_from 0, with ages 1',
        'Without a source, to be checked: geografi-001, historie-001',
      ]),
    );
    expect(topics).toMatchObject([
      { topic: 'Geografi', questions: 1, ...none },
      { topic: 'Historie', questions: 2, ...none, twins: 2, source: 1, ages: 1 },
    ]);
  });

  it('is the one in the repository', async () => {
    const { faults, topics, counts } = await lintQuestionBank(import.meta.dirname);
    expect(faults).toEqual([]);
    // Eight topics in two languages, each large enough that a drill does not soon repeat questions.
    expect(topics).toHaveLength(8);
    expect(Math.min(...topics.map(({ twins }) => twins))).toBeGreaterThanOrEqual(30);
    // What we promise of it.
    expect(counts.questions).toBeGreaterThanOrEqual(600);
    expect(counts.english).toBe(counts.questions);
    expect(counts.nynorsk).toBeGreaterThanOrEqual(100);
    expect(counts.source).toBeGreaterThanOrEqual(500);
    expect(counts.reasons).toBe(counts.questions);
    expect(counts.pictures).toBeGreaterThanOrEqual(24);
    // A practice test in Nynorsk has five questions of each topic, and the next one others.
    expect(Math.min(...topics.map(({ nynorsk }) => nynorsk))).toBeGreaterThanOrEqual(10);
  });
});

describe('a shape fault', () => {
  const OK = ['Oslo', 'Tromsø', 'Stavanger'];

  it.each<[string, Fields, string]>([
    ['unknown field', { source: 'https://example.no' }, 'unknown field "source"'],
    ['missing explanation', { explanation: undefined }, 'missing explanation'],
    ['blank explanation', { explanation: ' ' }, 'explanation is blank'],
    ['blank question', { question: '' }, 'question is blank'],
    ['wrong type', { answer: 7 }, 'answer is not a string'],
    ['stray space', { answer: 'Bergen ' }, 'answer has stray spaces or is not NFC'],
    ['decomposed letter', { answer: 'A\u030Alesund' }, 'answer has stray spaces or is not NFC'],
    ['incorrect as text', { incorrect: 'Oslo' }, 'incorrect is not an array'],
    ['two incorrect', { incorrect: OK.slice(1) }, 'incorrect has not exactly three options'],
    ['four incorrect', { incorrect: [...OK, 'Bodø'] }, 'incorrect has not exactly three options'],
    ['blank option', { incorrect: ['', 'Oslo', 'Bodø'] }, 'incorrect[0] is blank'],
    ['repeated option', { incorrect: ['Oslo', 'OSLO', 'Tromsø'] }, 'incorrect repeats an option'],
    [
      'answer among them',
      { incorrect: ['bergen', ...OK.slice(1)] },
      'incorrect contains the answer',
    ],
    ['tags as text', { tags: 'byer' }, 'tags is not an array'],
    ['blank tag', { tags: [''] }, 'tags[0] is blank'],
    ['no reasons', { incorrect_reasons: undefined }, 'incorrect_reasons is not an array'],
    [
      'two reasons',
      { incorrect_reasons: ['Fordi.', 'Derfor.'] },
      'incorrect_reasons has not exactly three texts',
    ],
    [
      'an option without a reason',
      { incorrect_reasons: ['Fordi.', null, 'Derfor.'] },
      'incorrect_reasons[1] is not a string',
    ],
    [
      'blank reason',
      { incorrect_reasons: ['Fordi.', 'Derfor.', ' '] },
      'incorrect_reasons[2] is blank',
    ],
    [
      'stray space in a reason',
      { incorrect_reasons: ['Fordi. ', 'Derfor.', 'Slik.'] },
      'incorrect_reasons[0] has stray spaces or is not NFC',
    ],
    [
      'source without https',
      { source_url: 'example.no' },
      'source_url is not a web address: begin with https:// or http://',
    ],
    ['blank source title', { source_title: ' ' }, 'source_title is blank: fill it in'],
    [
      'day that does not exist',
      { checked_at: '2026-02-30' },
      'checked_at is not a date: write it as 31.01.2026 or 2026-01-31',
    ],
    [
      'year as a date',
      { valid_from: '2026' },
      'valid_from is not a date: write it as 31.01.2026 or 2026-01-31',
    ],
    ['year as text', { ages: '2027' }, 'ages is not a year: write a year from 2000 to 2999'],
    [
      'excludes as text',
      { excludes: 'historie-002' },
      'excludes is not a list: write the values between [ and ]',
    ],
  ])('is reported: %s', async (_, changes, fault) => {
    expect(await faultsOf(question(1, changes))).toEqual([`${AT}: ${fault}`]);
  });

  it('is reported for a row that is not an object', async () => {
    expect(await faultsOf('tekst')).toEqual([`${AT}: not an object`]);
  });
});

describe('the optional fields', () => {
  const OPTIONAL = {
    source_url: 'https://example.no',
    source_title: 'Et leksikon',
    checked_at: '2026-11-23',
    valid_from: '2024-02-29',
    ages: 2027,
  };
  const excluding = (n: number, other: string, language = 'no') =>
    (language === 'no' ? question : english)(n, { ...OPTIONAL, excludes: [other] });

  it('have no faults when they are valid and groups exclude each other', async () => {
    const { faults } = await lint({
      'historie.no.json': [excluding(1, 'historie-002'), excluding(2, 'historie-001')],
      'historie.en.json': [excluding(1, 'historie-002', 'en'), excluding(2, 'historie-001', 'en')],
    });
    expect(faults).toEqual([]);
  });

  it('are reported for a group that is excluded on one side or in one language only', async () => {
    const { faults } = await lint({
      'historie.no.json': [excluding(1, 'historie-002'), question(2)],
      'historie.en.json': [english(1), excluding(2, 'historie-001', 'en')],
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        'historie.en.json[0] (historie-001): does not exclude "historie-002", which excludes it',
        'historie.no.json[1] (historie-002): does not exclude "historie-001", which excludes it',
        'historie.en.json[0] (historie-001): excludes differ from the Norwegian twin',
      ]),
    );
    expect(faults.filter((fault) => fault.includes('does not exclude'))).toHaveLength(2);
  });

  it('are reported once for a group of another topic that does not exclude in return', async () => {
    const { faults } = await lint({
      'historie.no.json': [excluding(1, 'geografi-001')],
      'historie.en.json': [excluding(1, 'geografi-001', 'en')],
      'geografi.no.json': [
        question(1, { topic: 'Geografi', group: 'geografi-001', question: 'Hvor?' }),
      ],
    });
    expect(faults).toEqual([
      'geografi.no.json[0] (geografi-001): does not exclude "historie-001", which excludes it',
    ]);
  });

  it('are reported for a group that does not exist, and for the own group', async () => {
    expect(await faultsOf(excluding(1, 'historie-999'), excluding(2, 'historie-002'))).toEqual([
      `${AT}: excludes "historie-999", which is no group`,
      'historie.no.json[1]: excludes its own group',
    ]);
  });
});

describe('a file fault', () => {
  it.each([
    ['historie.no.json', '{', 'historie.no.json: not a JSON array'],
    ['historie.no.json', '{}', 'historie.no.json: not a JSON array'],
    ['kosthold.no.json', '[]', 'kosthold.no.json: the file name is not'],
    ['historie.de.json', '[]', 'historie.de.json: the file name is not'],
  ])('is reported: %s holding %s', async (name, text, fault) => {
    expect((await lint({ [name]: text })).faults[0]).toContain(fault);
  });

  it('is reported when there are no files', async () => {
    expect((await lint({})).faults).toEqual([`${dir()}: no question files`]);
  });
});

describe('a question in the wrong place', () => {
  it.each<[Fields, string]>([
    [{ language: 'en' }, 'language is not "no"'],
    [{ topic: 'Geografi' }, 'topic is not "Historie"'],
    [{ group: 'geografi-001' }, 'group is not "historie-<number>"'],
    [{ group: 'historie-en' }, 'group is not "historie-<number>"'],
  ])('is reported: %o', async (changes, fault) => {
    expect(await faultsOf(question(1, changes))).toEqual([`${AT}: ${fault}`]);
  });
});

describe('a repetition', () => {
  it('of a question is reported regardless of case, spaces and Unicode normalization', async () => {
    const { faults } = await lint({
      'historie.no.json': [question(1, { question: 'Når kom Åse?' })],
      'geografi.no.json': [
        question(1, { topic: 'Geografi', group: 'geografi-001', question: 'NÅR kom åse?' }),
      ],
    });
    expect(faults).toEqual([`${AT}: same question as geografi.no.json[0]`]);
  });

  it('of a question in another language is no fault', async () => {
    const files = { 'historie.no.json': [question(1)], 'historie.en.json': [english(1)] };
    expect((await lint(files)).faults).toEqual([]);
  });

  it('of a group is reported', async () => {
    expect(await faultsOf(question(1), question(2, { group: 'historie-001' }))).toEqual([
      `historie.no.json[1]: repeats group "historie-001" of ${AT}`,
    ]);
  });
});

describe('a missing twin', () => {
  it('is reported on either side', async () => {
    const { faults } = await lint({
      'historie.no.json': [question(1), question(2)],
      'historie.en.json': [english(1), english(3)],
    });
    expect(faults).toEqual([
      'historie.no.json[1]: group "historie-002" has no twin in historie.en.json',
      'historie.en.json[1]: group "historie-003" has no twin in historie.no.json',
    ]);
  });

  it('is reported for an English file alone', async () => {
    const { faults } = await lint({ 'historie.en.json': [english(1)] });
    expect(faults).toEqual(['historie.en.json: no Norwegian file for the same topic']);
  });
});

describe('twins that differ', () => {
  const SOURCE = {
    source_url: 'https://example.no',
    source_title: 'Et leksikon',
    checked_at: '2026-11-23',
  };

  it.each<[string, Fields, Fields]>([
    ['tags', {}, { tags: ['pensjon'] }],
    ['source_url', SOURCE, { ...SOURCE, source_url: 'https://example.org' }],
    ['source_title', SOURCE, { ...SOURCE, source_title: 'A lexicon' }],
    ['checked_at', SOURCE, { ...SOURCE, checked_at: '2026-11-22' }],
    ['valid_from', { valid_from: '2024-01-01' }, {}],
    ['ages', { ages: 2028 }, { ages: 2027 }],
    [
      'numbers of the options, in their order,',
      { answer: '1814', incorrect: ['1905', '1940', '1945'] },
      { answer: '1814', incorrect: ['1940', '1905', '1945'] },
    ],
  ])('are reported: %s', async (what, norwegian, translation) => {
    const { faults } = await lint({
      'historie.no.json': [question(1, norwegian)],
      'historie.en.json': [english(1, translation)],
    });
    expect(faults).toEqual([
      `historie.en.json[0] (historie-001): ${what} differ from the Norwegian twin`,
    ]);
  });

  it('are no fault where only the separators of numbers do', async () => {
    const { faults } = await lint({
      'historie.no.json': [
        question(1, { answer: '1000', incorrect: ['1,5', '18.30', '9. april'] }),
      ],
      'historie.en.json': [english(1, { answer: '1,000', incorrect: ['1.5', '18:30', '9 April'] })],
    });
    expect(faults).toEqual([]);
  });
});
