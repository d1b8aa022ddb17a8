// Limits of the API. The schemas enforce them, services check again where they know more, and forms validate them
// before anything is sent. Lengths are in characters (code points).

/**
 * Characters of a topic in imports, editor, quizzes, filters and URLs. Imports have always accepted this many, so
 * every topic of a bank can be practised.
 */
export const MAX_TOPIC_LENGTH = 2000;

/** Characters of a question, an option, a tag or a source URL. */
export const MAX_TEXT_LENGTH = 2000;
export const MAX_EXPLANATION_LENGTH = 4000;
export const MAX_DISTRACTORS = 9;
export const MAX_TAGS = 20;
/** Groups that a question excludes from its test. */
export const MAX_EXCLUDED_GROUPS = 20;

/** Characters of a picture as a data URI: 2 MB, of which base64 leaves 1.5 MB. */
export const MAX_IMAGE_LENGTH = 2 * 1024 * 1024;
export const MAX_IMAGE_ALT_LENGTH = 500;
/** One for each option. */
export const MAX_AREAS = MAX_DISTRACTORS + 1;

/** A number of percent, from 0 to 100, with at most one decimal. */
const PERCENT = String.raw`(?:100(?:\.0)?|\d{1,2}(?:\.\d)?)`;
const POINT = `${PERCENT},${PERCENT}`;
/** A polygon of 3 to 40 points in percent of the picture's width and height: `12,30 20,30 20,44`. */
export const AREA_SHAPE = `^${POINT}(?: ${POINT}){2,39}$`;

/** Questions of a language that are counted for visitors, so that the count costs the same in a larger bank. */
export const MAX_COUNTED_QUESTIONS = 10_000;

/** Questions that a bulk change can select by id. */
export const MAX_SELECTED_IDS = 1000;

/** Characters of a learner's comment in a report. */
export const MAX_COMMENT_LENGTH = 1000;

/** Characters of a message to learners. Mail programs cut longer subjects. */
export const MAX_SUBJECT_LENGTH = 120;
export const MAX_MESSAGE_LENGTH = 5000;

/**
 * An email address, as a regular expression: without spaces, quotes and brackets, and with a dot in its domain. The
 * identity provider would refuse others after the payment.
 */
export const EMAIL_SHAPE = String.raw`^[^@\s"\[\]]+@[^@\s"\[\].]+([.][^@\s"\[\].]+)+$`;

/** Characters of a person's name. */
export const MAX_NAME_LENGTH = 100;

/** Characters of an administrator's note to a refund, a grant or a disabled account. */
export const MAX_NOTE_LENGTH = 500;

/** The highest price, in NOK including VAT. */
export const MAX_PRICE_NOK = 99_999.99;
/**
 * The lowest price that is not free, in NOK. It is Stripe's minimum charge:
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const MIN_PRICE_NOK = 3;

/** Days of service of one payment or grant. */
export const MAX_SERVICE_DAYS = 3650;

/** Entries of the glossary: every learner's browser loads all of them, 10 kB for 300. */
export const MAX_GLOSSARY_ENTRIES = 2000;
/** Characters of a word of the glossary, or of one of its forms. */
export const MAX_GLOSSARY_WORD_LENGTH = 60;
/** Characters of an explanation: one sentence. */
export const MAX_GLOSSARY_EXPLANATION_LENGTH = 200;
/** Inflected forms of a word. */
export const MAX_GLOSSARY_FORMS = 20;
/** Characters of a file with the whole glossary; a full one has some 400,000. */
export const MAX_GLOSSARY_FILE_LENGTH = 1_000_000;

/** Bytes of a file of questions: 2 GB, twice the size that counts as normal. */
export const MAX_FILE_BYTES = 2 * 1024 ** 3;
/** A file is stored in chunks of this size, which are the unit of `Upload-Checksum`. */
export const CHUNK_BYTES = 256 * 1024;
