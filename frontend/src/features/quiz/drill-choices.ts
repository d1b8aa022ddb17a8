import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { type AppLanguage, languages } from '#i18n/language.ts';
import { readStored, useStored } from '#lib/use-stored.ts';

export const QUESTION_COUNTS = ['5', '10', '20', '50'] as const;
const COUNT_KEY = 'proveklar.question-count';
const DEFAULT_COUNT = '10';

// As long as nothing was chosen, the questions follow the screen's language.
const LANGUAGE_CHOICES = ['screen', ...languages] as const;
const LANGUAGE_KEY = 'proveklar.question-language';

const toLanguage = (choice: (typeof LANGUAGE_CHOICES)[number]): AppLanguage =>
  choice === 'screen' ? currentLanguage() : choice;

/** How many questions a drill has, as it was chosen last. */
export const useQuestionCount = () => useStored(COUNT_KEY, QUESTION_COUNTS, DEFAULT_COUNT);

export const questionCount = (): number =>
  Number(readStored(COUNT_KEY, QUESTION_COUNTS) ?? DEFAULT_COUNT);

/** In which language a drill asks. */
export function useDrillLanguage(): [AppLanguage, (language: AppLanguage) => void] {
  // Rendered again when the screen changes its language.
  useTranslation();
  const [choice, setChoice] = useStored(LANGUAGE_KEY, LANGUAGE_CHOICES, 'screen');
  return [toLanguage(choice), setChoice];
}

export const drillLanguage = (): AppLanguage =>
  toLanguage(readStored(LANGUAGE_KEY, LANGUAGE_CHOICES) ?? 'screen');

/** In which language a practice test asks: in Norwegian, as the tests that count, until one chooses. */
export const useTestLanguage = () => useStored('proveklar.test-language', languages, 'no');
