import type {
  AnswerRequest,
  AnswerResponse,
  QuizSession,
} from '@proveklar/gateway/contract/quiz.ts';
import type { UseMutationResult } from '@tanstack/react-query';

type Step = UseMutationResult<void, Error, void>;

/** Who keeps a quiz that is run: the service, for a learner's own; this page, for the free sample. */
export type QuizKeeper = {
  /** Whose answers are remembered in this browser until they are confirmed. */
  owner: string;
  answer: (given: AnswerRequest) => Promise<AnswerResponse>;
  /** Where it stands, for a quiz that another tab or device may go on with. */
  read?: () => Promise<QuizSession>;
  /** Leads to the result. */
  end: Step;
  /** Leads home, without a result. */
  cancel: Step;
  /** Where to go when the quiz is found closed. */
  showOutcome: () => Promise<void>;
  /** Whether a question can be reported: only a learner's report has a sender. */
  takesReports: boolean;
};
