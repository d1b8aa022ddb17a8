import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { findWords, type HardWord, indexWords, safeWords } from '@proveklar/contract/hard-words.ts';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import { readGlossaryFile } from '@proveklar/services/glossary/glossary-file.ts';
import { lintGlossary } from './lint-glossary.ts';

const TEXTS = ['Hva er en streik?', 'Streiken er lovlig.', 'Et konstitusjonelt monarki'];
const faultsOf = (...rows: string[]) =>
  lintGlossary(['word;forms;norwegian;english', ...rows].join('\n'), TEXTS);

describe('the lint of the glossary', () => {
  test('accepts forms that the bank has, and a word that it has only in a form', () => {
    expect(
      faultsOf('streike;streik|streiken;Å slutte å jobbe.;to strike', 'monarki;;Et land.;monarchy'),
    ).toEqual([]);
  });

  test.each([
    ['streik;streikene;Et ord.;strike', 'streik: no question has "streikene"'],
    ['lockout;;Et ord.;lockout', 'lockout: no question has the word'],
    ['streik;streiken;En streik er et ord.;strike', 'streik: the explanation has the word itself'],
    [`streik;;${'ord '.repeat(16)};strike`, 'streik: the explanation has 16 words'],
    ['streik;;;strike', 'streik: norwegian is missing'],
  ])('reports %s', (row, fault) => {
    expect(faultsOf(row)).toContain(fault);
  });

  test('reports a form of two words', () => {
    const rows = ['streik;streiken;Et ord.;strike', 'aksjon;streiken;Et ord.;action'];
    expect(faultsOf(...rows)).toEqual(['aksjon: "streiken" is already a form of streik']);
  });
});

describe("the bank's glossary", async () => {
  const bank = new URL('questions/', import.meta.url);
  const names = (await readdir(bank)).filter((name) => name.endsWith('.no.json'));
  const files = await Promise.all(names.map((name) => readFile(new URL(name, bank), 'utf8')));
  const questions = files.flatMap((file) => JSON.parse(file) as QuestionRow[]);
  const csv = await readFile(new URL('questions/glossary.csv', import.meta.url), 'utf8');
  const entries: HardWord[] = readGlossaryFile(csv).map(({ content }) => content);
  const index = indexWords(entries);

  test('has 300 words, all of which the questions have', () => {
    const texts = questions.flatMap(({ question, answer, incorrect, explanation }) => [
      question,
      answer,
      ...incorrect,
      explanation ?? '',
    ]);
    expect(lintGlossary(csv, texts)).toEqual([]);
    expect(entries).toHaveLength(300);
  });

  // A reader who knows nothing chooses the option that has most words in common with the question and with the
  // explanations shown. The key has more in common with the question anyway.
  const stems = (text: string) =>
    new Set(
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]{3,}/gu)
        ?.map((word) => word.slice(0, 4)),
    );
  function shareGuessed(shown: (question: QuestionRow, options: string[]) => HardWord[]): number {
    const rights = questions.map((question) => {
      const options = [question.answer, ...question.incorrect];
      const words = shown(question, options);
      const explained = (text: string) => {
        const inText = new Set(findWords(text, index).map(({ entry }) => entry));
        return stems([text, ...words.filter((word) => inText.has(word)).map(toText)].join(' '));
      };
      const asked = explained(question.question);
      const scores = options.map((option) => explained(option).intersection(asked).size);
      const best = scores.filter((score) => score === Math.max(...scores));
      return scores[0] === best[0] ? 1 / best.length : 0;
    });
    return rights.reduce((sum, right) => sum + right, 0) / rights.length;
  }
  const toText = ({ norwegian }: HardWord) => norwegian;

  test('gives no more answers away before they are given than the questions do', () => {
    const without = shareGuessed(() => []);
    const all = shareGuessed(() => entries);
    const safe = shareGuessed((question, options) => {
      const words = safeWords({ question: question.question, options }, index);
      return [...words.question.map(({ entry }) => entry), ...words.options];
    });
    // Explaining every word would: this is what the rules of `safeWords` prevent.
    expect(all).toBeGreaterThan(without + 0.04);
    expect(safe).toBeLessThan(without + 0.02);
  });
});
