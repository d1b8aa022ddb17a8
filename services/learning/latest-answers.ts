import { IS_SHOWN } from './record-answers.ts';

/**
 * SQL: what the account `$1` remembers, by question. What it remembers of questions that were merged into another one
 * (services/questions/merge-duplicates.ts) counts for that one, until it has answered that one itself.
 */
export const KNOWN_QUESTIONS = `(
  select account_id, question_id, times_shown, times_right, first_correct, last_correct, last_answered_at,
         stability, due_on
  from learner_question where account_id = $1
  union all (
    select distinct on (merged.into_id)
           known.account_id, merged.into_id, times_shown, times_right, first_correct, last_correct,
           last_answered_at, stability, due_on
    from question_merge merged
    join learner_question known on known.question_id = merged.question_id and known.account_id = $1
    where not exists (select from learner_question own
                      where own.account_id = $1 and own.question_id = merged.into_id)
    order by merged.into_id, last_answered_at desc))`;

/** Answers of older quizzes have long been applied. */
const RECENT = '1 day';

/**
 * SQL: the latest answer of the account `$1` to each question that it was shown the result of, as `question_id`,
 * `correct`, `answered_at` and `times_shown` (how many of its answers count).
 *
 * From the learner's model, and from the answers that the workers have not applied to it yet: a learner who ends
 * a quiz sees its mistakes, and can repeat them, at once. A question that was handed in without an answer is left
 * out: it counts as wrong in the score, but says nothing about what the learner knows.
 */
export const LATEST_ANSWERS = `
  select coalesce(known.question_id, recent.question_id) as question_id,
         coalesce(recent.correct, known.last_correct) as correct,
         coalesce(recent.answered_at, known.last_answered_at) as answered_at,
         coalesce(known.times_shown, 0) + coalesce(recent.answers, 0) as times_shown
  from ${KNOWN_QUESTIONS} known
  full join (
    select distinct on (quiz_answer.question_id)
           quiz_answer.question_id, quiz_answer.correct, quiz_answer.answered_at,
           count(*) over (partition by quiz_answer.question_id)::int as answers
    from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
    left join learner_question applied
      on applied.account_id = quiz.account_id and applied.question_id = quiz_answer.question_id
    where quiz.account_id = $1 and quiz.started_at > now() - interval '${RECENT}' and ${IS_SHOWN}
      and (applied.question_id is null or quiz_answer.answered_at > applied.last_answered_at)
    order by quiz_answer.question_id, quiz_answer.answered_at desc, quiz.id desc
  ) recent on recent.question_id = known.question_id`;
