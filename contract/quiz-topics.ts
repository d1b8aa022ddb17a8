// What a quiz is drawn from in place of a topic of the bank. No topic may have one of these names.

/** A practice test. The name is given by the specification. */
export const PRACTICE_TEST = 'Praktisk prøve';
/** A drill over all topics. */
export const ALL_TOPICS = 'all';
/** A drill of the learner's mistakes. */
export const MISTAKES = 'mistakes';
/** Today's practice. */
export const TODAY = 'today';

export const RESERVED_TOPICS: readonly string[] = [PRACTICE_TEST, ALL_TOPICS, MISTAKES, TODAY];

/** Questions of a set of today's practice or of mistakes: 10 take about five minutes. */
export const SET_SIZE = 10;
