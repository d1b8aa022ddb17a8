import { ChevronDownIcon } from '@navikt/aksel-icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './language.module.css';
import { TranslatedQuestion } from './translated-question.tsx';

type QuestionTranslationProps = {
  quizId: string;
  question: { uuid: string; language: string };
  /** It is being read now. */
  onOpen?: () => void;
};

/** The same question in the other language, for whoever wants to see what they have understood. */
export function QuestionTranslation({ quizId, question, onOpen }: QuestionTranslationProps) {
  const { t } = useTranslation('learner');
  const [open, setOpen] = useState(false);
  const language = question.language === 'en' ? 'no' : 'en';
  return (
    <details
      className={styles.translation}
      open={open}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
        if (event.currentTarget.open) onOpen?.();
      }}
    >
      <summary>
        <ChevronDownIcon aria-hidden />
        {t(language === 'en' ? 'language.in_english' : 'language.in_norwegian')}
      </summary>
      {open && <TranslatedQuestion quizId={quizId} uuid={question.uuid} language={language} />}
    </details>
  );
}
