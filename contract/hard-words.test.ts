import { describe, expect, test } from 'vitest';
import { findWords, GLOSSARY_WORD, indexWords, safeWords } from './hard-words.ts';

const entry = (word: string, forms: string[] = [], norwegian = 'Noe.') => ({
  word,
  forms,
  norwegian,
  english: 'something',
});
const found = (text: string, ...entries: ReturnType<typeof entry>[]) =>
  findWords(text, indexWords(entries)).map(({ start, end, entry: { word } }) => [
    text.slice(start, end),
    word,
  ]);

describe('the hard words of a text', () => {
  test('are found in any case, by the word and by its forms', () => {
    const streik = entry('streik', ['streiken']);
    expect(found('Streik? STREIKEN er lovlig.', streik)).toEqual([
      ['Streik', 'streik'],
      ['STREIKEN', 'streik'],
    ]);
  });

  test('are whole words, also beside Norwegian letters and digits', () => {
    const words = [entry('ære'), entry('skatt'), entry('lov')];
    expect(found('lærer, skattø, skatt2 og grunnlov', ...words)).toEqual([]);
    expect(found('«lov», (skatt) ære!', ...words)).toEqual([
      ['lov', 'lov'],
      ['skatt', 'skatt'],
      ['ære', 'ære'],
    ]);
  });

  test('are no parts of compounds, with or without a hyphen', () => {
    expect(found('EØS-avtalen og arbeidsavtalen', entry('EØS'), entry('avtalen'))).toEqual([]);
    expect(found('EØS-avtalen', entry('EØS-avtalen'), entry('EØS'))).toEqual([
      ['EØS-avtalen', 'EØS-avtalen'],
    ]);
    expect(found('likestillings- og lov', entry('likestillings'))).toEqual([
      ['likestillings', 'likestillings'],
    ]);
  });

  test('are the longest where several begin at the same word', () => {
    const words = [entry('monarki'), entry('konstitusjonelt monarki'), entry('konstitusjonelt')];
    expect(found('Et konstitusjonelt  monarki, ikke et monarki', ...words)).toEqual([
      ['konstitusjonelt  monarki', 'konstitusjonelt monarki'],
      ['monarki', 'monarki'],
    ]);
    // A comma is between the words.
    expect(found('konstitusjonelt, monarki', ...words).map(([text]) => text)).toEqual([
      'konstitusjonelt',
      'monarki',
    ]);
  });

  test('are found whatever the Unicode normalization, at their place in the text', () => {
    const decomposed = 'Et a\u030Apent ra\u030Ad.';
    expect(found(decomposed, entry('råd'))).toEqual([['ra\u030Ad', 'råd']]);
    expect(found('Et råd.', entry('ra\u030Ad'))).toEqual([['råd', 'ra\u030Ad']]);
  });

  test('are none without a glossary or a text', () => {
    expect(found('Hva er streik?')).toEqual([]);
    expect(found('', entry('streik'))).toEqual([]);
  });

  test('of a glossary are letters and digits, so that texts can be searched for them', () => {
    for (const word of ['skatt', 'EØS-avtalen', 'konstitusjonelt monarki', 'mai']) {
      expect(GLOSSARY_WORD.test(word), word).toBe(true);
    }
    for (const word of ['', ' skatt', 'to  ord', 'a/b', '1. mai', '-skatt', 'skatt-', '=1+1']) {
      expect(GLOSSARY_WORD.test(word), word).toBe(false);
    }
  });
});

describe('the hard words that are explained before the answer', () => {
  const union = entry('fagforening', [], 'En gruppe ansatte som samarbeider.');
  const employer = entry('arbeidsgiver', ['arbeidsgiveren'], 'En som betaler lønn.');
  const tax = entry('Skatteetaten', [], 'Passer på at alle betaler riktig.');
  const customs = entry('Tolletaten', [], 'Kontrollerer varer ved grensen.');
  const index = indexWords([union, employer, tax, customs]);
  const safe = (question: string, options: string[]) => {
    const words = safeWords({ question, options }, index);
    return [
      words.question.map(({ entry: { word } }) => word),
      words.options.map(({ word }) => word),
    ];
  };

  test('are those of the question and of all options', () => {
    const options = ['Ring arbeidsgiveren', 'Spør en fagforening', 'Vent'];
    expect(safe('Hva må en arbeidsgiver vite?', options)).toEqual([
      ['arbeidsgiver'],
      ['arbeidsgiver', 'fagforening'],
    ]);
  });

  test('lack the word that the question asks for', () => {
    for (const question of [
      'Hva er en fagforening?',
      'Hva betyr fagforening for en arbeidsgiver?',
      'Hvem er i en fagforening?',
    ]) {
      expect(safe(question, ['Ett', 'To'])[0], question).not.toContain('fagforening');
    }
    expect(safe('Hva betyr fagforening for en arbeidsgiver?', ['Ett', 'To'])[0]).toEqual([
      'arbeidsgiver',
    ]);
  });

  test('lack those of all options where one option is such a word', () => {
    const options = ['Skatteetaten', 'En arbeidsgiver du stoler på', 'Kongen'];
    expect(safe('Hvem kjenner du?', options)[1]).toEqual([]);
    expect(safe('Hvem kjenner du?', options.slice(1))[1]).toEqual(['arbeidsgiver']);
  });

  test('lack a word of the question whose explanation is like some of the options', () => {
    const question = 'Når ringer du en arbeidsgiver?';
    expect(safe(question, ['For å spørre om lønn', 'For å si hei'])[0]).toEqual([]);
    expect(safe(question, ['Lønn i mai', 'Lønn i juni'])[0]).toEqual(['arbeidsgiver']);
  });

  test('lack those of all options when the explanation of one is like the question', () => {
    const options = ['Gå til Tolletaten i Oslo', 'Gå til en arbeidsgiver i Oslo'];
    expect(safe('Hvem spør du om varer?', options)[1]).toEqual([]);
    expect(safe('Hvem spør du om vær?', options)[1]).toEqual(['Tolletaten', 'arbeidsgiver']);
  });

  test('are the same whichever option is right', () => {
    const options = ['Ring arbeidsgiveren', 'Spør en fagforening om lønn', 'Vent'];
    const question = 'Hva må en arbeidsgiver vite?';
    const words = safe(question, options).map((part) => part.toSorted());
    for (const order of [options.toReversed(), [...options.slice(1), options[0]!]]) {
      expect(safe(question, order).map((part) => part.toSorted())).toEqual(words);
    }
  });
});
