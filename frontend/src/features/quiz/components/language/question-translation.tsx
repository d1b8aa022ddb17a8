import type { QuizQuestion } from '@proveklar/contract/quiz.ts';
import { ChevronDownIcon } from '@navikt/aksel-icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageInWords } from '#lib/question-language.ts';
import styles from './language.module.css';
import { TranslatedQuestion } from './translated-question.tsx';

type QuestionTranslationProps = {
  quizId: string;
  question: Pick<QuizQuestion, 'uuid' | 'language' | 'translated' | 'translations'>;
  /** It is being read now. */
  onOpen?: () => void;
};

/** The same question in each other language that the bank has it in, to see what one has understood. */
export function QuestionTranslations({ question, ...props }: QuestionTranslationProps) {
  return translationsOf(question).map((language) => (
    <QuestionTranslation key={language} uuid={question.uuid} language={language} {...props} />
  ));
}

/** A gateway of the version before says that there is one: in English, or of that in Norwegian. */
function translationsOf({
  language,
  translated,
  translations,
}: QuestionTranslationProps['question']): string[] {
  if (translations) return translations;
  return translated ? [language === 'en' ? 'no' : 'en'] : [];
}

type OneTranslationProps = Omit<QuestionTranslationProps, 'question'> & {
  uuid: string;
  language: string;
};

function QuestionTranslation({ quizId, uuid, language, onOpen }: OneTranslationProps) {
  const { t, i18n } = useTranslation('learner');
  const [open, setOpen] = useState(false);
  const known = { en: 'language.in_english', no: 'language.in_norwegian' } as const;
  const key = known[language as keyof typeof known] as (typeof known)['en'] | undefined;
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
        {key
          ? t(key)
          : t('language.in_other', { language: languageInWords(language, i18n.language) })}
      </summary>
      {open && <TranslatedQuestion quizId={quizId} uuid={uuid} language={language} />}
    </details>
  );
}
