import { Checkbox } from '@digdir/designsystemet-react';
import { CURRENT_NEWS_TEXT, NEWS_TEXTS } from '@proveklar/contract/consent-texts.ts';
import type { NewsConsentRequest, NewsConsentResponse } from '@proveklar/contract/messages.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard, Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';

const newsQuery = queryOptions({
  queryKey: ['news'],
  queryFn: ({ signal }) => api<NewsConsentResponse>('/account/news', { signedIn: true, signal }),
});

const changeNews = (body: NewsConsentRequest): Promise<NewsConsentResponse> =>
  api('/account/news', { method: 'PUT', signedIn: true, body });

/** Whether the learner agrees to news by mail. Not ticked until they do. */
export function NewsSection() {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery(newsQuery);
  /** Until it is saved or refused. */
  const [chosen, setChosen] = useState<boolean>();
  const change = useMutation({
    mutationFn: changeNews,
    onSuccess: (saved) => queryClient.setQueryData(newsQuery.queryKey, saved),
    onSettled: () => setChosen(undefined),
  });
  const version = CURRENT_NEWS_TEXT[currentLanguage()];
  const failure = (error: Error) =>
    error instanceof ApiError && error.code === 'email_refused'
      ? t('news.refused')
      : errorText(error);
  return (
    <FormCard>
      <Stack gap={4}>
        <h2>{t('news.title')}</h2>
        {!data && isError && (
          <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
            {t('translation:error.load')}
          </RetryAlert>
        )}
        {!data && !isError && <SkeletonLines label={t('translation:app.loading')} lines={2} />}
        {data && (
          <Checkbox
            label={NEWS_TEXTS[version].text}
            description={t('news.hint')}
            checked={chosen ?? data.news}
            aria-disabled={change.isPending || undefined}
            onChange={({ currentTarget }) => {
              if (change.isPending) return;
              const news = currentTarget.checked;
              setChosen(news);
              change.mutate(news ? { news, consent: version } : { news });
            }}
          />
        )}
        <FormAlert>{change.error && failure(change.error)}</FormAlert>
        <div role="status">{change.data && t(change.data.news ? 'news.on' : 'news.off')}</div>
      </Stack>
    </FormCard>
  );
}
