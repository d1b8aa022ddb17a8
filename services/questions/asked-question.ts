import { type StoredPicture, toPicture } from './picture.ts';

interface StoredQuestion extends StoredPicture {
  id: number;
  uuid: string;
  question: string;
  topic: string;
  language: string;
  /** The other offered languages in which the bank has the question. */
  translations: string[];
}

/**
 * A question as it is asked: without its key and its explanation.
 *
 * @param options as they are shown
 */
export function toAskedQuestion(stored: StoredQuestion, options: string[]) {
  const { id, uuid, question, topic, language, translations } = stored;
  return {
    id,
    uuid,
    question,
    options,
    topic,
    language,
    ...toPicture(stored, options),
    translated: translations.length > 0,
    translations,
  };
}
