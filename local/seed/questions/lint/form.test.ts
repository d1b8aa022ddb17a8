import { describe, expect, it } from 'vitest';
import { question, times, useBankFolder } from './test-bank.ts';

const { lint } = useBankFolder();

const SYLLABLES = ['ba', 'do', 'ki', 'lu', 'me', 'na', 'po', 'ri', 'su', 'te', 'va', 'fy'];

/** Words by chance, which tell no option apart: the same for the same seed (mulberry32). */
function words(seed: number): string {
  let state = seed;
  const chance = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const word = () =>
    [1, 2, 3].map(() => SYLLABLES[Math.floor(chance() * SYLLABLES.length)]).join('');
  return `${word()} og ${word()}`;
}

const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`;

/** Two topics of 60 questions; `shape` may change the key (place 0) and the wrong options. */
function bank(
  shape: (text: string, place: number, topic: string) => string,
  language: 'no' | 'en' = 'no',
) {
  const file = (slug: string, topic: string, from: number) =>
    times(60, (n) => {
      const options = [0, 1, 2, 3].map((place) =>
        capital(shape(words((from + n) * 4 + place), place, slug)),
      );
      return question(n, {
        language,
        topic,
        question: `${topic} ${n}?`,
        group: `${slug}-${String(n).padStart(3, '0')}`,
        answer: options[0],
        incorrect: options.slice(1),
      });
    });
  const history = file('historie', language === 'no' ? 'Historie' : 'History', 0);
  const geography = file('geografi', language === 'no' ? 'Geografi' : 'Geography', 1_000);
  return {
    [`historie.${language}.json`]: history,
    [`geografi.${language}.json`]: geography,
  };
}

const byForm = async (files: Parameters<typeof lint>[0]) => {
  const { faults, guesses } = await lint(files);
  const found = guesses.get('no')!;
  return {
    faults: faults.filter((fault) => fault.includes('form of the options')),
    share: found.reduce((sum, { hit }) => sum + hit, 0) / found.length,
    found,
  };
};

describe('the form of the options', () => {
  it('is no fault where keys look like other options', async () => {
    const { faults, share } = await byForm(bank((text) => text));
    expect(faults).toEqual([]);
    expect(share).toBeLessThan(0.33);
  });

  it.each<[string, (text: string, place: number) => string]>([
    ['a word', (text, place) => (place === 0 ? text.replace(' og ', ' eller ') : text)],
    ['a comma', (text, place) => (place === 0 ? text.replace(' og ', ', ') : text)],
    ['length', (text, place) => (place === 0 ? `${text} ${text}` : text)],
    ['endings', (text, place) => (place === 0 ? `${text}ningen` : `${text}skapen`)],
    ['the second number', (_, place) => `${[20, 10, 30, 40][place]!} dager`],
  ])('is a fault where keys have their own: %s', async (_, shape) => {
    const { faults, share } = await byForm(bank(shape));
    expect(share).toBeGreaterThan(0.9);
    expect(faults).toEqual([
      expect.stringMatching(
        /^\*\.no\.json: the form of the options finds \d+\.\d % of the keys, at most 33\.0 %/,
      ),
    ]);
  });

  it('of a topic is guessed by what the other topics show, not by its own keys', async () => {
    const only = (wanted: string) =>
      bank((text, place, slug) =>
        place === 0 && slug === wanted ? text.replace(' og ', ' eller ') : text,
      );
    const { found } = await byForm(only('historie'));
    const share = (slug: string) => {
      const of = found.filter((guess) => guess.slug === slug);
      return of.reduce((sum, { hit }) => sum + hit, 0) / of.length;
    };
    // Its readers have learned from geography, where "eller" is in no option.
    expect(share('historie')).toBeLessThan(0.5);
  });

  it('is measured in each language, the same each time, and named for the worst questions', async () => {
    const files = {
      ...bank((text) => text),
      ...bank((text, place) => (place === 0 ? text.replace(' og ', ' or ') : text), 'en'),
    };
    const [first, second] = [await lint(files), await lint(files)];
    expect(first.figures).toEqual(second.figures);
    expect(first.figures).toContainEqual(
      expect.stringMatching(
        /^Keys found by the form of the options, %: \d+\.\d\/\d+\.\d\/– \(no\/en\/nn\), at most 33, by chance 25$/,
      ),
    );
    expect(first.faults).toContainEqual(expect.stringMatching(/^\*\.en\.json: the form/));
    const worst = first.guesses.get('en')!.toSorted((x, y) => y.probability - x.probability)[0]!;
    expect(worst.cues.map(([name]) => name)).toContain('"or"');
    expect(first.topics.map((topic) => topic['form %'])).toEqual([
      expect.stringMatching(/^\d+\.\d\/\d+\.\d$/),
      expect.stringMatching(/^\d+\.\d\/\d+\.\d$/),
    ]);
  });

  it('is not measured in too few questions', async () => {
    const { guesses } = await lint({ 'historie.no.json': times(60, (n) => question(n)) });
    expect(guesses.get('no')).toEqual([]);
  });
});
