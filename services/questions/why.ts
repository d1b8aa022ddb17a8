/** What explains an answer, as it is stored. */
export interface StoredWhy {
  incorrect: readonly string[];
  /** In the order of `incorrect`; null without any. */
  incorrect_reasons: readonly (string | null)[] | null;
  explanation: string | null;
  source_url: string | null;
  source_title: string | null;
  checked_at: string | null;
}

/** SQL: the columns of `StoredWhy` but `incorrect`, of a `question` or of the view `shown_question`. */
export const whyColumns = (from: string) => `
  ${from}.incorrect_reasons, ${from}.explanation, ${from}.source_url, ${from}.source_title,
  ${from}.checked_at::text as checked_at`;

/** Why a wrong option is wrong. */
export interface Reason {
  option: string;
  reason: string;
}

/**
 * What a learner may read once the key may be revealed.
 *
 * @param wrong the wrong options that were shown: neither the key, nor a distractor that was left out
 */
export function toWhy(stored: StoredWhy, wrong: readonly string[]) {
  const { explanation, source_url, source_title, checked_at } = stored;
  return { explanation, reasons: reasonsFor(stored, wrong), source_url, source_title, checked_at };
}

/** The reasons of these wrong options. A key that was corrected later may be among the distractors. */
export function reasonsFor(
  { incorrect, incorrect_reasons }: Pick<StoredWhy, 'incorrect' | 'incorrect_reasons'>,
  wrong: readonly string[],
): Reason[] {
  return incorrect.flatMap((option, place) => {
    const reason = incorrect_reasons?.[place];
    return reason && wrong.includes(option) ? [{ option, reason }] : [];
  });
}
