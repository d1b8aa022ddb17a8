import { storeStatement } from '@proveklar/services/quiz/answer-question.ts';

// The answers of the learners. They are derived from the number of a quiz and the position in it, so that
// pgbench, which has no texts, gives the same answers as the load on the gateway.

/** A prime, so that a learner's quizzes ask all questions of the bank before one comes again. */
export const LEARNERS = 1_009;
export const BANK = 2_000;
export const QUESTIONS_PER_QUIZ = 20;

/** Concurrent learners with one connection each, per gateway and for pgbench. */
export const CONNECTIONS = 32;

const uuid = (prefix: string, number: number) => `${prefix}${String(number).padStart(12, '0')}`;
/** A version 7 UUID, but older than any other: the newest are at the other end of every index. */
export const QUIZ_PREFIX = 'f0000000-0000-7000-8000-';
export const QUESTION_PREFIX = '00000000-0000-4000-8000-';
export const UID_PREFIX = 'bench-learner-';
/** The first option is the key. */
export const OPTION_PREFIX = 'Alternativ nummer ';

export interface GivenAnswer {
  learner: number;
  quizId: string;
  questionId: string;
  answer: string;
}

/** @param quiz its number, from 0 */
export function givenAnswer(quiz: number, position: number): GivenAnswer {
  return {
    learner: quiz % LEARNERS,
    quizId: uuid(QUIZ_PREFIX, quiz),
    questionId: uuid(QUESTION_PREFIX, questionOf(quiz, position)),
    answer: `${OPTION_PREFIX}${1 + Math.floor(((quiz + position) % 5) / 3)}`,
  };
}

/** The number of a quiz's question, in the syntax of both SQL and pgbench. */
const questionOf = (quiz: number, position: number) => (quiz * 7 + position) % BANK;
export const QUESTION_OF = (quiz: string, position: string) =>
  `((${quiz}) * 7 + ${position}) % ${BANK}`;

/** An event stores its request id. The gateway's requests have distinct ids of the same length. */
const REQUEST_ID = 'f0000000-0000-4000-8000-000000000000';

const uuidSql = (prefix: string, number: string) =>
  `('${prefix}' || lpad(${number}, 12, '0'))::uuid`;

/**
 * The service's own statement for pgbench: each transaction is an answer. Its parameters are replaced with
 * expressions over numbers, which cost almost nothing.
 *
 * Its variable `first` is the number of the first quiz; each client takes every
 * `CONNECTIONS`th from there.
 */
export function pgbenchScript(): string {
  const expressions = {
    uid: `'${UID_PREFIX}' || :learner`,
    signedInAt: Date.now(),
    quizId: uuidSql(QUIZ_PREFIX, ':quiz'),
    questionUuid: uuidSql(QUESTION_PREFIX, ':question'),
    answer: `'${OPTION_PREFIX}' || :answer`,
    trace: `'{"request_id":"${REQUEST_ID}"}'`,
  };
  const { text, values } = storeStatement([expressions]);
  const statement = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const [expression] = values[Number(number) - 1] ?? [];
    return `array[${expression ?? 'null'}]`;
  });
  return `
\\set quiz :first + (:n / ${QUESTIONS_PER_QUIZ}) * ${CONNECTIONS} + :client_id
\\set position :n % ${QUESTIONS_PER_QUIZ}
\\set n :n + 1
\\set learner :quiz % ${LEARNERS}
\\set question ${QUESTION_OF(':quiz', ':position')}
\\set answer 1 + ((:quiz + :position) % 5) / 3
${statement};
`;
}
