import { CheckmarkCircleFillIcon } from '@navikt/aksel-icons';
import { languageTag } from '@proveklar/contract/language.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { mayPass } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { textIn } from '#lib/question-language.ts';
import { translationQuery } from '../../api.ts';
import { optionLetter } from '../../quiz-position.ts';
import styles from './language.module.css';

type TranslatedQuestionProps = { quizId: string; uuid: string; language: string };

export function TranslatedQuestion({ quizId, uuid, language }: TranslatedQuestionProps) {
  const { t, i18n } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const { data, error, refetch, isFetching } = useQuery(translationQuery(quizId, uuid, language));
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
  // Where nothing says which wrong answer is which, the right one alone.
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
                <span className={styles.key} lang={languageTag(i18n.language)}>
                  <CheckmarkCircleFillIcon aria-hidden />
                  {t('run.correct_answer')}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {data.explanation && <p>{data.explanation}</p>}
    </div>
  );
}
