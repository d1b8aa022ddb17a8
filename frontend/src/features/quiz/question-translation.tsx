import { CheckmarkCircleFillIcon, ChevronDownIcon } from '@navikt/aksel-icons';
import { languageTag, toAppLanguage } from '@proveklar/contract/language.ts';
import type { QuizQuestion } from '@proveklar/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { mayPass } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { languageInWords, textIn } from '#lib/question-language.ts';
import { translationQuery } from './api.ts';
import styles from './question.module.css';
import { reasonOf } from './reasons.tsx';
import { optionLetter } from './option-letter.ts';

/** How a translation is read: that of a learner's quiz. The free sample has its own way. */
export const TranslationSource = createContext(translationQuery);

type QuestionTranslationProps = {
  quizId: string;
  question: Pick<QuizQuestion, 'uuid' | 'language' | 'translated' | 'translations'>;
  /** Called when the translation is opened. */
  onOpen?: () => void;
};

/** The question in each other language of the bank, so that learners can check what they understood. */
export function QuestionTranslations({ question, ...props }: QuestionTranslationProps) {
  const { i18n } = useTranslation();
  const page = toAppLanguage(i18n.language);
  const isUsual = (language: string) => language === page || language === 'no';
  const inOrder = translationsOf(question).toSorted(
    (a, b) => Number(isUsual(b)) - Number(isUsual(a)),
  );
  return inOrder.map((language) => (
    <QuestionTranslation key={language} uuid={question.uuid} language={language} {...props} />
  ));
}

/** A gateway of the previous version only says that there is a translation, between Norwegian and English. */
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

/** The languages that were opened last: who needs one at a question needs it at the next one too. */
const opened = new Set<string>();

function QuestionTranslation({ quizId, uuid, language, onOpen }: OneTranslationProps) {
  const { t, i18n } = useTranslation('learner');
  const [open, setOpen] = useState(() => opened.has(language));
  const known = { en: 'language.in_english', no: 'language.in_norwegian' } as const;
  const key = known[language as keyof typeof known] as (typeof known)['en'] | undefined;
  return (
    <details
      className={styles.translation}
      open={open}
      onToggle={({ currentTarget: { open: isOpen } }) => {
        // Told of one that is open from the beginning, too.
        if (isOpen === open) return;
        setOpen(isOpen);
        opened[isOpen ? 'add' : 'delete'](language);
        if (isOpen) onOpen?.();
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

const Reason = ({ text }: { text: string | undefined }) =>
  text && <span className={styles.reason}>{text}</span>;

type TranslatedQuestionProps = { quizId: string; uuid: string; language: string };

function TranslatedQuestion({ quizId, uuid, language }: TranslatedQuestionProps) {
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const readFrom = useContext(TranslationSource);
  const { data, error, refetch, isFetching } = useQuery(readFrom(quizId, uuid, language));
  if (error) {
    return (
      <RetryAlert
        title={t('language.failed')}
        busy={isFetching}
        onRetry={mayPass(error) ? () => void refetch() : undefined}
      >
        {errorText(error)}
      </RetryAlert>
    );
  }
  if (!data) return <SkeletonLines label={t('translation:app.loading')} />;
  // If the wrong answers cannot be matched, only the right one is shown.
  const options = data.options.length > 0 ? data.options : [data.answer];
  return (
    <div className={styles.translated} {...textIn(data.language)}>
      <p className={styles.question}>{data.question}</p>
      <ul className={styles.options}>
        {options.map((option, number) => (
          <li key={option} data-key={option === data.answer || undefined}>
            {data.options.length > 0 && (
              <span className={styles.letter}>{optionLetter(number)}</span>
            )}
            <span>
              {option}
              {option === data.answer && (
                <span className={styles.key} lang={languageTag(i18n.language)} dir="ltr">
                  <CheckmarkCircleFillIcon aria-hidden />
                  {t('run.correct_answer')}
                </span>
              )}
              <Reason text={reasonOf(data.reasons, option)} />
            </span>
          </li>
        ))}
      </ul>
      {data.explanation && <p>{data.explanation}</p>}
    </div>
  );
}
