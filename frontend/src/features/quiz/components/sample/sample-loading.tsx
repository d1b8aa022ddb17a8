import type { SampleResponse } from '@proveklar/contract/quiz.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/button-link.tsx';
import { MessagePage } from '#components/message-page.tsx';
import { Page } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import styles from './sample.module.css';

/** Until there are questions: on their way, not to be had, or none in the bank. */
export function SampleLoading({ sample }: { sample: UseQueryResult<SampleResponse> }) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusText = useStatusText();
  const { data, error, isFetching, refetch } = sample;
  if (data?.questions.length === 0) {
    return (
      <MessagePage title={t('sample.empty_title')} text={t('sample.empty_text')}>
        <ButtonLink to="/">{t('translation:actions.to_front_page')}</ButtonLink>
      </MessagePage>
    );
  }
  return (
    <Page title={t('sample.title')} width="text">
      {error ? (
        <div className={styles.failed}>
          <h1>{t('sample.title')}</h1>
          <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
            {t('quiz.failed.questions', { status: statusText(error) })}
          </RetryAlert>
        </div>
      ) : (
        <SkeletonLines label={t('translation:app.loading')} lines={5} />
      )}
    </Page>
  );
}
