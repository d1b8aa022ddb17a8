import { useTranslation } from 'react-i18next';
import { type AppLanguage, languages } from '#i18n/language.ts';
import { ChoiceSelect } from './choice-select.tsx';

type QuestionLanguageSelectProps = {
  value: AppLanguage;
  onChange: (language: AppLanguage) => void;
};

/** In which language questions are asked; the screen keeps its own. */
export function QuestionLanguageSelect(props: QuestionLanguageSelectProps) {
  const { t } = useTranslation('learner');
  return (
    <ChoiceSelect
      label={t('quiz.question_language')}
      choices={languages}
      nameOf={(language) => t(`quiz.language_${language}`)}
      {...props}
    />
  );
}
