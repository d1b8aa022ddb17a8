import { readdir, readFile } from 'node:fs/promises';
import type { QuestionRow } from '@proveklar/contract/question-row.ts';
import { findWords, indexWords } from '@proveklar/contract/hard-words.ts';
import { readGlossaryFile } from '@proveklar/services/glossary/glossary-file.ts';
import { faultOf, type GlossaryContent, keyOf } from '@proveklar/services/glossary/glossary.ts';

// Checks the bank's glossary against its bokmål questions. It explains bokmål words: questions in Nynorsk and
// other languages need no entries, and their words are not looked for.

const FILE = new URL('questions/glossary.csv', import.meta.url);
const BANK = new URL('questions/', import.meta.url);

/** A longer sentence is no help to a reader at A2. */
const MAX_EXPLANATION_WORDS = 15;

/** All texts of the questions in bokmål. */
async function readTexts(): Promise<string[]> {
  const names = (await readdir(BANK)).filter((name) => name.endsWith('.no.json'));
  const files = await Promise.all(names.map((name) => readFile(new URL(name, BANK), 'utf8')));
  return files
    .flatMap((file) => JSON.parse(file) as QuestionRow[])
    .flatMap(({ question, answer, incorrect, explanation }) => [
      question,
      answer,
      ...incorrect,
      explanation ?? '',
    ]);
}

/** The faults of a glossary for these texts. */
export function lintGlossary(csv: string, texts: readonly string[]): string[] {
  const entries = readGlossaryFile(csv).map(({ content }) => content);
  const owners = new Map<string, string>();
  const keys = texts.map(keyOf);
  return entries.flatMap((entry) => {
    const { word } = entry;
    const fault = faultOf(entry);
    const faults = fault ? [`${fault.field} is ${fault.reason}`] : [];
    for (const form of [word, ...entry.forms]) {
      const owner = owners.get(keyOf(form));
      if (owner !== undefined) faults.push(`"${form}" is already a form of ${owner}`);
      owners.set(keyOf(form), word);
    }
    faults.push(...textFaults(entry), ...missingForms(entry, keys));
    return faults.map((text) => `${word}: ${text}`);
  });
}

function textFaults(entry: GlossaryContent): string[] {
  const words = entry.norwegian.split(/\s+/).length;
  const explainsItself = findWords(entry.norwegian, indexWords([entry])).length > 0;
  return [
    ...(words > MAX_EXPLANATION_WORDS ? [`the explanation has ${words} words`] : []),
    ...(explainsItself ? ['the explanation has the word itself'] : []),
  ];
}

/** A form must be in the bank; the word may be there only in its forms. `texts` are keys. */
function missingForms(entry: GlossaryContent, texts: readonly string[]): string[] {
  const isInBank = (form: string) => {
    const key = keyOf(form);
    const index = indexWords([{ ...entry, word: form, forms: [] }]);
    return texts.some((text) => text.includes(key) && findWords(text, index).length > 0);
  };
  const missing = entry.forms.filter((form) => !isInBank(form));
  return [
    ...missing.map((form) => `no question has "${form}"`),
    ...(entry.forms.length === 0 && !isInBank(entry.word) ? ['no question has the word'] : []),
  ];
}

if (import.meta.main) {
  const csv = await readFile(FILE, 'utf8');
  const faults = lintGlossary(csv, await readTexts());
  for (const fault of faults) console.error(fault);
  console.log(`Glossary: ${readGlossaryFile(csv).length} words of bokmål; Nynorsk needs none`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
