import { useTranslation } from 'react-i18next';
import { useOfferedLanguages } from '#lib/question-language.ts';
import { ChoiceSelect } from './choice-select.tsx';

type QuestionLanguageSelectProps = {
  value: string;
  onChange: (language: string) => void;
};

/** In which language questions are asked, each named in itself; the screen keeps its own. */
export function QuestionLanguageSelect(props: QuestionLanguageSelectProps) {
  const { t } = useTranslation('learner');
  const offered = useOfferedLanguages();
  return (
    <ChoiceSelect
      label={t('quiz.question_language')}
      choices={offered.map(({ code }) => code)}
      nameOf={(code) => offered.find((language) => language.code === code)?.name ?? code}
      {...props}
    />
  );
}
