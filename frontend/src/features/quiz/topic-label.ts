import {
  ALL_TOPICS,
  MISTAKES,
  PRACTICE_TEST,
  RESERVED_TOPICS,
  TODAY,
} from '@proveklar/contract/quiz-topics.ts';
import type { TFunction } from 'i18next';

/** Whether it is a topic of the bank, in the language of its questions. */
export const isTopic = (topic: string): boolean => !RESERVED_TOPICS.includes(topic);

/** The displayed name of a topic: the special ones are translated. */
export function topicLabel(topic: string, t: TFunction<'learner'>): string {
  if (topic === PRACTICE_TEST) return t('quiz.practice_test');
  if (topic === MISTAKES) return t('quiz.mistakes');
  if (topic === TODAY) return t('quiz.daily');
  return topic === ALL_TOPICS ? t('quiz.general') : topic;
}
