import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { TopicProgress } from '../api.ts';

/** While a new version is rolled out, a gateway of the one before may answer, without names. */
type NamedTopic = Pick<TopicProgress, 'topic' | 'language'> & Partial<Pick<TopicProgress, 'names'>>;

/**
 * A topic as a screen in `screen` names it: in that language where the bank has a name for it, else
 * as its questions do.
 */
export function topicName(
  { topic, language, names }: NamedTopic,
  screen: AppLanguage,
): { name: string; language: string } {
  const name = names?.[screen] ?? null;
  return name === null ? { name: topic, language } : { name, language: screen };
}
