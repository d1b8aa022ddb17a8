import type { QuizSession } from '@proveklar/contract/quiz.ts';

export type TopicScore = { topic: string; right: number; total: number };

/** The questions that count, by topic; the weakest first, and of equal ones that with more questions. */
export function topicScores({
  questions,
  answers,
}: Pick<QuizSession, 'questions' | 'answers'>): TopicScore[] {
  const counted = questions.filter(({ uuid }) => answers[uuid]?.counted !== false);
  const byTopic = Map.groupBy(counted, ({ topic }) => topic);
  return [...byTopic]
    .map(([topic, asked]) => ({
      topic,
      right: asked.filter(({ uuid }) => answers[uuid]?.correct === true).length,
      total: asked.length,
    }))
    .toSorted(
      (a, b) =>
        a.right / a.total - b.right / b.total ||
        b.total - a.total ||
        a.topic.localeCompare(b.topic, 'nb'),
    );
}
