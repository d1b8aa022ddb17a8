import type { Queryable } from '#database/pool.ts';
import { isOffered } from '#languages/languages.ts';
import type { DrawnQuestion } from '#questions/draw-questions.ts';
import { LATEST_ANSWERS } from './latest-answers.ts';

const DRAW = `
  select id, topic
  from (${LATEST_ANSWERS}) latest
  join question on question.id = latest.question_id
  where not latest.correct and question.language = $2 and validated and retired_at is null
    and ${isOffered('$2')}
  order by random() limit $3`;

/** At most `count` questions, at random, of those whose latest answer by this account was wrong. */
export async function drawMistakes(
  db: Queryable,
  accountId: string,
  { language, count }: { language: string; count: number },
): Promise<DrawnQuestion[]> {
  const { rows } = await db.query<DrawnQuestion>({
    name: 'draw-mistakes',
    text: DRAW,
    values: [accountId, language, count],
  });
  return rows;
}
