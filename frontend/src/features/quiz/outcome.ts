import type { QuizSession } from '@proveklar/contract/quiz.ts';
import type { TFunction } from 'i18next';

type Questions = QuizSession['questions'];

/**
 * The questions to review after a quiz: those answered wrongly, those without an answer, and the trial questions, which
 * do not count.
 */
export function outcomeOf({ questions, answers }: Pick<QuizSession, 'questions' | 'answers'>): {
  wrong: Questions;
  unanswered: Questions;
  trial: Questions;
  allRight: boolean;
} {
  const isRight = ({ uuid }: Questions[number]) => answers[uuid]?.correct === true;
  const isTrial = ({ uuid }: Questions[number]) => answers[uuid]?.counted === false;
  const isAnswered = ({ uuid }: Questions[number]) => Boolean(answers[uuid]?.answer);
  const missed = questions.filter((question) => !isTrial(question) && !isRight(question));
  return {
    wrong: missed.filter(isAnswered),
    unanswered: missed.filter((question) => !isAnswered(question)),
    trial: questions.filter(isTrial),
    allRight: questions.every(isRight),
  };
}

type TopicScore = { topic: string; right: number; total: number };

/** The score by topic of the questions that count: the weakest first, then the one with more questions. */
export function topicScores({
  questions,
  answers,
}: Pick<QuizSession, 'questions' | 'answers'>): TopicScore[] {
  const counted = questions.filter(({ uuid }) => answers[uuid]?.counted !== false);
  const byTopic = Map.groupBy(counted, ({ topic }) => topic);
  return [...byTopic]
    .map(([topic, ofTopic]) => ({
      topic,
      right: ofTopic.filter(({ uuid }) => answers[uuid]?.correct === true).length,
      total: ofTopic.length,
    }))
    .toSorted(
      (a, b) =>
        a.right / a.total - b.right / b.total ||
        b.total - a.total ||
        a.topic.localeCompare(b.topic, 'nb'),
    );
}

export type ResultTone = 'excellent' | 'good' | 'low';

/** As specified: thumbs up from 90 %, a sad face below 50 %, neither in between. */
export function resultTone(score: number, total: number): ResultTone {
  // In integers, because 0.9 has no exact binary form, and 9 of 10 must be excellent.
  if (total > 0 && score * 10 >= total * 9) return 'excellent';
  return score * 2 < total ? 'low' : 'good';
}

/** Seconds as whole minutes. */
export function timeSpent(seconds: number, t: TFunction<'learner'>): string {
  const count = Math.round(seconds / 60);
  return count === 0 ? t('history.under_minute') : t('history.minutes', { count });
}
