import type { TFunction } from 'i18next';

// The contract's own constants are values of a back-end module; only its types come here.
export const PRACTICE_TEST = 'Praktisk prøve';
export const ALL_TOPICS = 'all';
export const MISTAKES = 'mistakes';
export const TODAY = 'today';

const SPECIAL: ReadonlySet<string> = new Set([PRACTICE_TEST, ALL_TOPICS, MISTAKES, TODAY]);

/** Whether it is a topic of the bank, in the language of its questions. */
export const isTopic = (topic: string): boolean => !SPECIAL.has(topic);

/** The displayed name of a topic: the special ones are translated. */
export function topicLabel(topic: string, t: TFunction<'learner'>): string {
  if (topic === PRACTICE_TEST) return t('quiz.practice_test');
  if (topic === MISTAKES) return t('quiz.mistakes');
  if (topic === TODAY) return t('quiz.today');
  return topic === ALL_TOPICS ? t('quiz.general') : topic;
}
