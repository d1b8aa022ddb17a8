import type { AnswerRequest, AnswerResponse, QuizSession } from '@proveklar/contract/quiz.ts';
import type { UseMutationResult } from '@tanstack/react-query';

type Step = UseMutationResult<void, Error, void>;

/** Who keeps a quiz that is run: the service, for a learner's own; this page, for the free sample. */
export type QuizKeeper = {
  /** Whose answers are remembered in this browser until they are confirmed. */
  owner: string;
  /** Where this browser remembers whether a quiz goes on by itself, and what holds until then. */
  autoAdvance: { storedAs: string; byDefault: 'on' | 'off' };
  answer: (given: AnswerRequest) => Promise<AnswerResponse>;
  /** Where it stands, for a quiz that another tab or device may go on with. */
  read?: () => Promise<QuizSession>;
  /** Keeps that a question of a practice test is to be come back to. */
  mark?: (uuid: string, marked: boolean) => Promise<unknown>;
  /** Leads to the result. */
  end: Step;
  /** Leads home, without a result. */
  cancel: Step;
  /** Where to go when the quiz is found closed. */
  showOutcome: () => Promise<void>;
  /** Whether it can be left as it is, and gone on with from the quiz home. */
  staysOpen: boolean;
  /** Whether a question can be reported: only a learner's report has a sender. */
  takesReports: boolean;
};

/** The same keeper, which also tells what was read of it. */
export function observeReading(
  keeper: QuizKeeper,
  onRead: (session: QuizSession) => void,
): QuizKeeper {
  const { read } = keeper;
  if (!read) return keeper;
  return {
    ...keeper,
    async read() {
      const session = await read();
      onRead(session);
      return session;
    },
  };
}
