import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { toLanguageCode, useOfferedLanguages } from '#lib/question-language.ts';
import { read, readStored, useStored } from '#lib/use-stored.ts';

export const QUESTION_COUNTS = ['5', '10', '20', '50'] as const;
const COUNT_KEY = 'proveklar.question-count';
const DEFAULT_COUNT = '10';

// As long as nothing was chosen, the questions follow the screen's language.
const SCREEN = 'screen';
const LANGUAGE_KEY = 'proveklar.question-language';
const TEST_LANGUAGE_KEY = 'proveklar.test-language';

/** How many questions a drill has, as it was chosen last. */
export const useQuestionCount = () => useStored(COUNT_KEY, QUESTION_COUNTS, DEFAULT_COUNT);

export const questionCount = (): number =>
  Number(readStored(COUNT_KEY, QUESTION_COUNTS) ?? DEFAULT_COUNT);

/** In which language a drill asks: one that is offered now. */
export function useDrillLanguage(): [string, (language: string) => void] {
  // Rendered again when the screen changes its language.
  useTranslation();
  const offered = useOfferedLanguages().map(({ code }) => code);
  const [choice, setChoice] = useStored(LANGUAGE_KEY, [SCREEN, ...offered], SCREEN);
  const isOffered = (code: string) => offered.includes(code);
  return [[choice, currentLanguage()].find(isOffered) ?? 'no', setChoice];
}

/** The same without waiting for which are offered: what is asked for in vain is asked for again. */
export const drillLanguage = (): string => toLanguageCode(read(LANGUAGE_KEY)) ?? currentLanguage();

/** In which language a practice test asks: in Norwegian, as the tests that count, until one chooses. */
export function useTestLanguage(): [string, (language: string) => void] {
  const offered = useOfferedLanguages().map(({ code }) => code);
  const [choice, setChoice] = useStored(TEST_LANGUAGE_KEY, offered, 'no');
  return [offered.includes(choice) ? choice : 'no', setChoice];
}

/** A drill of a topic, or of mistakes, in the language in which its questions are. */
export function drillOf(topic: string, language: string, question_count: number): StartQuizRequest {
  return { topic, question_count, language };
}
