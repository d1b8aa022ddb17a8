/**
 * Characters (code points) in the longest topic, wherever one is taken: import, editor, quiz, filter and
 * address. What an import has always taken, so that every topic of a bank can be practised.
 */
export const MAX_TOPIC_LENGTH = 2000;
