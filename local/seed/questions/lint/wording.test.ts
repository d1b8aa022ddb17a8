import { describe, expect, it } from 'vitest';
import { english, question, times, useBankFolder } from './test-bank.ts';

const { lint, faultsOf } = useBankFolder();

const AT = 'historie.no.json[0] (historie-001)';

describe('the length of the key', () => {
  const LONGEST = { answer: 'Lillehammer' };

  it('is reported when it is the longest option in more than 28 % of a file', async () => {
    const file = (longest: number) => times(25, (n) => question(n, n <= longest ? LONGEST : {}));
    expect(await faultsOf(...file(8))).toEqual([
      'historie.no.json: answer is the longest option in 32.0 % of the questions',
    ]);
    expect(await faultsOf(...file(7))).toEqual([]);
  });

  it('is reported when it is over 1.6 times the mean of the others, from 12 characters', async () => {
    const incorrect = ['I Oslo', 'I Bodø', 'I en by i øst'];
    const entry = (answer: string) => question(1, { answer, incorrect });
    expect(await faultsOf(entry('I en by nord i'))).toEqual([
      `${AT}: answer is over 1.6 times the mean length of the others`,
    ]);
    expect(await faultsOf(entry('I by i nord'))).toEqual([]);
  });

  it('is reported when it is under 0.6 times the mean of the others', async () => {
    const incorrect = [1, 2, 3].map((n) => `I en by som ligger langt nord ${n}`);
    expect(await faultsOf(question(1, { answer: 'I en by i nord', incorrect }))).toEqual([
      `${AT}: answer is under 0.6 times the mean length of the others`,
    ]);
  });
});

it('a condition that begins with its verb is reported, and a question is not', async () => {
  const entry = (explanation: string) => question(1, { explanation });
  expect(await faultsOf(entry('Har du betalt for mye, får du pengene tilbake.'))).toEqual([
    `${AT}: a condition begins with its verb, not with "Hvis"`,
  ]);
  expect(await faultsOf(entry('Hvis du har betalt for mye, får du pengene tilbake.'))).toEqual([]);
  expect(await faultsOf(entry('Regelen gjelder alle. Haster det, kan du ringe.'))).toEqual([
    `${AT}: a condition begins with its verb, not with "Hvis"`,
  ]);
  expect(await faultsOf(entry('Er du i tvil, eller vil du vite mer? Spør Nav.'))).toEqual([]);
});

describe('the form of the options', () => {
  it.each<[string, string, string[], string]>([
    ['no', 'Å stemme', ['Å betale', 'Å reise', 'Skatt'], 'only some options begin with "å"'],
    ['en', 'To vote', ['To pay', 'Travel', 'To ask'], 'only some options begin with "to"'],
    [
      'no',
      'Bergen',
      ['stavanger', 'Oslo', 'Hamar'],
      'only some options begin with a capital letter',
    ],
    ['no', 'Bergen', ['Stavanger', 'Oslo.', 'Hamar'], 'an option ends with a full stop'],
  ])('is reported: %s %s', async (language, answer, incorrect, fault) => {
    const { faults } = await lint({
      'historie.no.json': [question(1, language === 'no' ? { answer, incorrect } : {})],
      'historie.en.json': [english(1, language === 'en' ? { answer, incorrect } : {})],
    });
    expect(faults).toEqual([`historie.${language}.json[0] (historie-001): ${fault}`]);
  });

  it('may end with the number of a king, and begin with a digit', async () => {
    const incorrect = ['Olav 5.', 'Karl Johan', '7. juni'];
    expect(await faultsOf(question(1, { answer: 'Haakon 7.', incorrect }))).toEqual([]);
  });
});

describe('absolute words', () => {
  const FAULT =
    'absolute words (bare, alltid, only, never) in two wrong options and not in the key';

  it.each([
    ['no', 'Noen ganger', ['Aldri om høsten', 'Alltid om våren', 'Om vinteren']],
    ['en', 'Some times', ['Never in autumn', 'Only in spring', 'In the winter']],
  ])('are reported in two wrong options: %s', async (language, answer, incorrect) => {
    const { faults } = await lint({
      'historie.no.json': [question(1, language === 'no' ? { answer, incorrect } : {})],
      'historie.en.json': [english(1, language === 'en' ? { answer, incorrect } : {})],
    });
    expect(faults).toEqual([`historie.${language}.json[0] (historie-001): ${FAULT}`]);
  });

  it('are no fault in the key too, in one wrong option, or inside a word', async () => {
    const wrong = ['Aldri om høsten', 'Alltid om våren', 'Om vinteren'];
    expect(
      await faultsOf(
        question(1, { answer: 'Bare om sommeren', incorrect: wrong }),
        question(2, { answer: 'Om sommeren', incorrect: ['Alltid om våren', 'I mai', 'I juni'] }),
        question(3, { answer: 'Om sommeren', incorrect: ['I baren', 'I allehelgen', 'I juni'] }),
      ),
    ).toEqual([]);
  });
});

describe('guessing', () => {
  it('by tone is reported when it finds more than 29 % of the keys of a file', async () => {
    const incorrect = ['Det koster penger', 'Det er stengt', 'Det er langt unna'];
    const file = (alone: number) =>
      times(25, (n) =>
        question(n, { answer: n <= alone ? 'Det er gratis' : 'Det er dyrt', incorrect }),
      );
    // Two at 100 % and 23 at 25 %: 31 %.
    expect(await faultsOf(...file(2))).toEqual([
      'historie.no.json: words of tone (hjelp, rett til, forbidden, free) find 31.0 % of the keys, at most 29.0 %; ' +
        'only the key has one in historie-001, historie-002',
      'the option with words of tone and no absolute word is the key in 31.0 % (no)',
    ]);
    expect(await faultsOf(...file(1))).toEqual([]);
  });

  it('by tone leaves out options with absolute words', async () => {
    const wrong = ['Bare gratis', 'Alltid gratis', 'Det er dyrt'];
    const alone = { answer: 'Det er gratis', incorrect: wrong };
    const even = {
      answer: 'Det er stengt',
      incorrect: ['Det er dyrt', 'Det er langt', 'Det er nær'],
    };
    const { faults } = await lint({
      'historie.no.json': times(20, (n) => question(n, n <= 2 ? alone : even)),
    });
    // In each of the two, the words of tone alone would find a third of a key.
    expect(faults.filter((fault) => fault.includes('tone'))).toEqual([
      'the option with words of tone and no absolute word is the key in 32.5 % (no)',
    ]);
  });

  it('by tone leaves out words of another meaning', async () => {
    const { topics } = await lint({
      'historie.no.json': times(20, (n) =>
        question(n, { answer: 'Rett fram, selv om det regner', incorrect: ['I a', 'I b', 'I c'] }),
      ),
      'historie.en.json': times(20, (n) =>
        english(n, { answer: 'On the right, hands-free', incorrect: ['A', 'B', 'C'] }),
      ),
    });
    expect(topics).toMatchObject([{ 'tone %': '25.0/25.0' }]);
  });

  it('by words of the question is reported when it finds more than 29 % of the keys of the bank', async () => {
    const file = (echoing: number) =>
      times(25, (n) =>
        question(n, { question: `Hva er byen ${n}?`, answer: n <= echoing ? 'Byene' : 'Bergen' }),
      );
    expect(await faultsOf(...file(2))).toEqual([
      'the option that repeats the question is the key in 31.0 % (no)',
    ]);
    expect(await faultsOf(...file(1))).toEqual([]);
  });

  it('is reported in figures, Norwegian and English', async () => {
    const { topics, figures } = await lint({
      'historie.no.json': times(20, (n) => question(n)),
      'historie.en.json': times(20, (n) => english(n)),
    });
    expect(topics).toMatchObject([{ 'longest %': '0.0/0.0', 'tone %': '25.0/25.0' }]);
    expect(figures).toEqual(
      expect.arrayContaining([
        'Keys found by words of the question, %: 25.0/25.0/– (no/en/nn), at most 29, by chance 25',
        'Keys found by tone, %: 25.0/25.0/– (no/en/nn), at most 29, by chance 25',
        'Keys found by the form of the options, %: –/–/– (no/en/nn), at most 33, by chance 25',
      ]),
    );
  });

  it('is not measured in too few questions', async () => {
    const incorrect = ['Det koster penger', 'Det er stengt', 'Det er langt unna'];
    const free = { answer: 'Det er gratis', incorrect };
    expect(await faultsOf(...times(19, (n) => question(n, free)))).toEqual([]);
  });
});

describe('the reading level', () => {
  const HARD =
    'Kommunestyrerepresentantene vedtar reguleringsplanen gjennom kommuneadministrasjonen.';

  it('is reported for a question above LIX 60', async () => {
    expect(await faultsOf(question(1, { explanation: HARD }))).toEqual([
      `${AT}: LIX of question and explanation is above 60`,
    ]);
  });

  it('is reported for a Norwegian file above LIX 40 and an English one above 42', async () => {
    // Eight words in two sentences, three of them long: 4 + 37.5 = 41.5.
    const explanation = 'Regjeringen foreslår det om høsten nå.';
    const { faults } = await lint({
      'historie.no.json': times(20, (n) => question(n, { explanation })),
      'historie.en.json': times(20, (n) => english(n, { explanation })),
    });
    expect(faults).toEqual(['historie.no.json: LIX is 41.5']);
    const harder = 'Regjeringen foreslår det om høsten likevel.';
    const { faults: inEnglish } = await lint({
      'historie.no.json': times(20, (n) => question(n)),
      'historie.en.json': times(20, (n) => english(n, { explanation: harder })),
    });
    expect(inEnglish).toEqual([expect.stringMatching(/^historie\.en\.json: LIX is 54\.0$/)]);
  });
});
