import type { Import } from '@proveklar/contract/imports.ts';
import { useTranslation } from 'react-i18next';
import { languageInWords } from '#lib/question-language.ts';
import { counted, formatCount } from '../../format-amounts.ts';
import { countNotOffered, notOfferedOf } from '../../not-offered.ts';

/** How many questions are in which languages that learners are not offered; false where none is. */
export function useNotOfferedText(
  one: Import,
  what: 'not_offered' | 'would_not_be_offered',
): string | false {
  const { t, i18n } = useTranslation('admin');
  const all = countNotOffered(one);
  if (all === 0) return false;
  const languages = notOfferedOf(one)
    .map(
      ({ language, questions }) =>
        `${languageInWords(language, i18n.language)} (${formatCount(questions)})`,
    )
    .join(', ');
  return t(`import.outcome.${what}`, { ...counted(all), languages });
}
