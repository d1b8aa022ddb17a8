import type { Exam } from '@proveklar/contract/quiz.ts';
import { useDrillLanguage } from '../drill-choices.ts';
import { useAccountChoice } from './account-choice.ts';
import { useChangePlan, useLearning } from './api.ts';

export const exams = ['samfunnskunnskap', 'statsborger'] as const satisfies readonly Exam[];

/** The exam that the learner practises for, which is part of the account's plan. */
export function useExam() {
  const [language] = useDrillLanguage();
  const { data } = useLearning(language);
  const { mutate, isError } = useChangePlan();
  const { value, choose } = useAccountChoice<Exam>({
    key: 'proveklar.exam',
    allowed: exams,
    current: data?.exam,
    send: (exam, options) => mutate({ exam }, options),
  });
  return { exam: value ?? exams[0], choose, isUnsent: isError };
}
