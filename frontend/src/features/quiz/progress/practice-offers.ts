import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';

type Progress = Pick<ProgressResponse, 'topics' | 'weakest'>;

/**
 * What there is to practise of what was answered wrong: in the language asked for, else in another
 * one. A drill is in one language.
 */
export function mistakesOf(
  { topics }: Progress,
  preferred: string,
): { language: string; count: number } | undefined {
  return [preferred, ...new Set(topics.map(({ language }) => language))]
    .map((language) => ({
      language,
      count: topics
        .filter((topic) => topic.language === language)
        .reduce((sum, { met, right }) => sum + met - right, 0),
    }))
    .find(({ count }) => count > 0);
}

/** A drill of a topic, or of mistakes, in the language in which its questions are. */
export function drillOf(topic: string, language: string, question_count: number): StartQuizRequest {
  return { topic, question_count, language };
}
