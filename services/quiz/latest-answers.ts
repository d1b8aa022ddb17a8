/**
 * SQL: the latest answer of the account `$1` to each question that it has answered, as `question_id`,
 * `correct` and `answered_at`.
 *
 * Only answers whose result was told count: all of an ended quiz, and those that were told at once,
 * also if the drill was then left. What stands in an open practice test, or in a drill that tells
 * nothing before its end, must not be learnt in this way. A question that was handed in without an
 * answer was not answered: it is wrong in the result, but says nothing of what the learner knows.
 */
export const LATEST_ANSWERS = `
  select distinct on (quiz_answer.question_id)
         quiz_answer.question_id, quiz_answer.correct, quiz_answer.answered_at
  from quiz join quiz_answer on quiz_answer.quiz_id = quiz.id
  where quiz.account_id = $1 and (quiz.state = 'ended' or quiz.instant_feedback)
  order by quiz_answer.question_id, quiz_answer.answered_at desc, quiz.id desc`;
