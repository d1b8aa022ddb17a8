import { describe, expect, test, vi } from 'vitest';
import { chooseVoice, createReader, type Synthesis } from './speech.ts';

const voice = (lang: string, localService = true) =>
  ({ lang, localService, name: lang }) as SpeechSynthesisVoice;

/** A fake of the browser's speech synthesis, which speaks when the test says so. */
function fakeSpeech(voices: SpeechSynthesisVoice[]) {
  const queue: SpeechSynthesisUtterance[] = [];
  const said: string[] = [];
  const changed = new Set<() => void>();
  const synthesis = {
    getVoices: () => voices,
    speak: (utterance: SpeechSynthesisUtterance) => void queue.push(utterance),
    cancel() {
      // As in browsers, each cancelled utterance ends with an error event.
      for (const { onerror } of queue.splice(0)) (onerror as (() => void) | null)?.();
    },
    addEventListener: (_: string, listener: () => void) => changed.add(listener),
    removeEventListener: (_: string, listener: () => void) => changed.delete(listener),
  } as unknown as Synthesis;
  const reader = createReader(synthesis, (text) => ({ text }) as SpeechSynthesisUtterance);
  return {
    reader,
    said,
    arrive: (...late: SpeechSynthesisVoice[]) => {
      voices.push(...late);
      for (const listener of changed) listener();
    },
    speakNext: () => {
      const utterance = queue.shift()!;
      said.push(`${utterance.lang} ${utterance.rate}: ${utterance.text}`);
      (utterance.onend as (() => void) | null)?.();
    },
    waiting: () => queue.length,
  };
}

test.each([
  ['no', ['en-US', 'nn-NO', 'no-NO', 'nb-NO'], 'nb-NO'],
  ['no', ['da-DK', 'nn-NO', 'no_NO'], 'no_NO'],
  ['no', ['sv-SE', 'nn-NO'], 'nn-NO'],
  ['nn', ['nb-NO', 'nn-NO'], 'nn-NO'],
  ['nn', ['en-US', 'nb-NO'], 'nb-NO'],
  ['no', ['da-DK', 'en-GB'], undefined],
  ['en', ['nb-NO', 'en-AU', 'en_US'], 'en_US'],
  ['en', ['en-IN'], 'en-IN'],
  ['en', [], undefined],
  ['pl', ['nb-NO', 'en-GB', 'pl-PL'], 'pl-PL'],
  ['pl', ['nb-NO', 'en-GB'], undefined],
])('%s is read by the best of %j', (language, tags, best) => {
  expect(
    chooseVoice(
      tags.map((tag) => voice(tag)),
      language,
    )?.lang,
  ).toBe(best);
});

test('a local voice is preferred', () => {
  const voices = [voice('nb-NO', false), voice('nn-NO')];
  expect(chooseVoice(voices, 'no')?.lang).toBe('nn-NO');
});

describe('reading aloud', () => {
  const QUESTION = ['Hva?', 'A: Dette', 'B: Det'].map((text) => ({ text, language: 'no' }));

  test('says every passage in its language, and notifies of the start and the end', () => {
    const { reader, said, speakNext } = fakeSpeech([voice('nb-NO'), voice('en-GB')]);
    const heard = vi.fn(() => reader.reading());
    reader.subscribe(heard);
    reader.read('question', [...QUESTION, { text: 'What?', language: 'en' }], 0.75);
    expect(reader.reading()).toBe('question');
    for (let left = 4; left > 0; left -= 1) {
      expect(reader.reading()).toBe('question');
      speakNext();
    }
    expect(said).toEqual([
      'nb-NO 0.75: Hva?',
      'nb-NO 0.75: A: Dette',
      'nb-NO 0.75: B: Det',
      'en-GB 0.75: What?',
    ]);
    expect(heard.mock.results.map(({ value }) => value as unknown)).toEqual([
      'question',
      undefined,
    ]);
  });

  test('stops at once, and also when something else is read', () => {
    const { reader, said, speakNext, waiting } = fakeSpeech([voice('nb-NO')]);
    reader.read('question', QUESTION);
    speakNext();
    reader.stop();
    expect([reader.reading(), waiting()]).toEqual([undefined, 0]);
    reader.read('question', QUESTION);
    reader.read('explanation', [{ text: 'Derfor.', language: 'no' }]);
    expect([reader.reading(), waiting()]).toEqual(['explanation', 1]);
    speakNext();
    expect(reader.reading()).toBeUndefined();
    expect(said).toEqual(['nb-NO 1: Hva?', 'nb-NO 1: Derfor.']);
  });

  test('becomes available when the voices arrive', () => {
    const { reader, arrive } = fakeSpeech([]);
    const heard = vi.fn();
    const leave = reader.subscribe(heard);
    expect(reader.canRead('no')).toBe(false);
    reader.read('question', QUESTION);
    expect(reader.reading()).toBeUndefined();
    arrive(voice('nb-NO'));
    expect(heard).toHaveBeenCalledTimes(1);
    expect([reader.canRead('no'), reader.canRead('en')]).toEqual([true, false]);
    leave();
    arrive(voice('en-GB'));
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('is not available, and throws nothing, in a browser without speech synthesis', () => {
    const reader = createReader(undefined);
    reader.subscribe(() => undefined)();
    reader.read('question', QUESTION);
    reader.stop();
    expect([reader.canRead('no'), reader.reading()]).toEqual([false, undefined]);
  });
});
