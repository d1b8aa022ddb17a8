import type { Transaction } from '#database/pool.ts';
import { AppError } from '#errors/app-error.ts';
import { IS_VISIBLE } from './visible.ts';

export interface LockedQuestion {
  id: number;
  version: number;
  language: string;
  topic: string;
  question: string;
  answer: string;
  incorrect: string[];
  explanation: string | null;
  source_url: string | null;
  checked_at: string | null;
  tags: string[];
  validated: boolean;
  retired: boolean;
}

/**
 * A question that stays as it is until the transaction ends. A quiz that is being drawn refers to it
 * meanwhile, and does not wait.
 *
 * @throws AppError `question_not_found`
 */
export async function lockQuestion(
  tx: Transaction,
  question: number | string,
): Promise<LockedQuestion> {
  const column = typeof question === 'number' ? 'id' : 'uuid';
  const { rows } = await tx.query<LockedQuestion>(
    `select id, version, language, topic, question, answer, incorrect, explanation, source_url,
            checked_at::text as checked_at, tags, validated, retired_at is not null as retired
     from question where ${column} = $1 and ${IS_VISIBLE} for no key update`,
    [question],
  );
  if (!rows[0]) throw new AppError('question_not_found');
  return rows[0];
}
