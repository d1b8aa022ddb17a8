import { CURRENT_NEWS_TEXT, NEWS_TEXTS } from '@proveklar/contract/consent-texts.ts';
import type { NewsConsentRequest, NewsConsentResponse } from '@proveklar/contract/messages.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CheckboxCard } from '#components/checkbox-card.tsx';
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
  const change = useMutation({
    mutationFn: changeNews,
    onSuccess: (saved) => queryClient.setQueryData(newsQuery.queryKey, saved),
  });
  const version = CURRENT_NEWS_TEXT[currentLanguage()];
  const failure = (error: Error) =>
    error instanceof ApiError && error.code === 'email_refused'
      ? t('news.refused')
      : errorText(error);
  return (
    <CheckboxCard
      title={t('news.title')}
      label={NEWS_TEXTS[version].text}
      hint={t('news.hint')}
      checked={data?.news}
      loading={{ isError, isFetching, refetch }}
      isSaving={change.isPending}
      save={(news, onSettled) =>
        change.mutate(news ? { news, consent: version } : { news }, { onSettled })
      }
      failure={change.error && failure(change.error)}
      saved={change.data ? t(change.data.news ? 'news.on' : 'news.off') : null}
    />
  );
}
