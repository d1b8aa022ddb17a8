/** With fewer answers than this, figures say little: nothing is judged by them. */
export const ENOUGH_ANSWERS = 30;

/** Shorter quizzes are left out of the discrimination: their rest says little about a learner. */
export const LEAST_ANSWERED = 5;

/**
 * A discrimination counts as negative when one this low would come by chance in fewer than one of
 * twenty questions that do not discriminate at all: it is then normal around 0 with the standard
 * deviation 1/√n. Without this, half of all that are only easy would be in the review queue.
 */
export const CHANCE_Z = 1.645;
