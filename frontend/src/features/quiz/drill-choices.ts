import type { Exam, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { toLanguageCode, useOfferedLanguages } from '#lib/question-language.ts';
import { readStored, readText, useStored } from '#lib/use-stored.ts';

export const QUESTION_COUNTS = ['5', '10', '20', '50'] as const;
const COUNT_KEY = 'proveklar.question-count';
const DEFAULT_COUNT = '10';

// Without a choice, the questions are in the language of the page.
const SCREEN = 'screen';
const LANGUAGE_KEY = 'proveklar.question-language';
const TEST_LANGUAGE_KEY = 'proveklar.test-language';

/** The number of questions in a drill, as last chosen. */
export const useQuestionCount = () => useStored(COUNT_KEY, QUESTION_COUNTS, DEFAULT_COUNT);

export const questionCount = (): number =>
  Number(readStored(COUNT_KEY, QUESTION_COUNTS) ?? DEFAULT_COUNT);

/** The language that the learner practises in, which must be offered now. */
export function useDrillLanguage(): [string, (language: string) => void] {
  // Renders again when the language of the page changes.
  useTranslation();
  const offered = useOfferedLanguages().map(({ code }) => code);
  const [choice, setChoice] = useStored(LANGUAGE_KEY, [SCREEN, ...offered], SCREEN);
  const isOffered = (code: string) => offered.includes(code);
  return [[choice, currentLanguage()].find(isOffered) ?? 'no', setChoice];
}

/** The same without waiting for the offered languages: a wrong guess costs one more request. */
export const drillLanguage = (): string =>
  toLanguageCode(readText(LANGUAGE_KEY)) ?? currentLanguage();

/**
 * The language of a practice test. Without a choice it is that of the drills, if the exam can be taken in it: the
 * citizenship test is in Norwegian only.
 */
export function useTestLanguage(exam: Exam): [string, (language: string) => void] {
  const [ofDrills] = useDrillLanguage();
  const offered = useOfferedLanguages().map(({ code }) => code);
  const [choice, setChoice] = useStored(TEST_LANGUAGE_KEY, [SCREEN, ...offered], SCREEN);
  const usual = exam === 'statsborger' ? 'no' : ofDrills;
  return [[choice, usual].find((code) => offered.includes(code)) ?? 'no', setChoice];
}

/** The request for a drill of a topic, or of mistakes, in the language of its questions. */
export function drillOf(topic: string, language: string, question_count: number): StartQuizRequest {
  return { topic, question_count, language };
}
