// What is refused beyond a limit: the schemas refuse it, services check it again where they know more, and forms
// say it before anything is sent. Lengths are in characters (code points).

/**
 * The longest topic, wherever one is taken: import, editor, quiz, filter and address. What an import has always
 * taken, so that every topic of a bank can be practised.
 */
export const MAX_TOPIC_LENGTH = 2000;

/** The longest text of a question, an option, a tag or an address of a source. */
export const MAX_TEXT_LENGTH = 2000;
export const MAX_EXPLANATION_LENGTH = 4000;
export const MAX_DISTRACTORS = 9;
export const MAX_TAGS = 20;

/** Questions that are named one by one in a change of many. */
export const MAX_SELECTED_IDS = 1000;

/** What a learner writes in a report of a question. */
export const MAX_COMMENT_LENGTH = 1000;

/** What a person is called. */
export const MAX_NAME_LENGTH = 100;

/** Why an administrator does something: a refund, a grant, the closing of an account. */
export const MAX_NOTE_LENGTH = 500;

/** The highest price, in NOK including VAT. */
export const MAX_PRICE_NOK = 99_999.99;
/**
 * The lowest price that is not free, in NOK. The least that Stripe charges:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const MIN_PRICE_NOK = 3;

/** Days of service that one payment or grant gives. */
export const MAX_SERVICE_DAYS = 3650;
