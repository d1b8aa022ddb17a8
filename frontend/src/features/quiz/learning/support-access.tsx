import { Checkbox } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard, Stack } from '#components/layout.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { useDrillLanguage } from '../drill-choices.ts';
import { useChangePlan, useLearning } from './api.ts';

/** Whether support may see the learner's progress. */
export function SupportAccess() {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const [language] = useDrillLanguage();
  const { data, isError, isFetching, refetch } = useLearning(language);
  const { mutate, isPending, isSuccess, error } = useChangePlan();
  /** Until it is saved or refused. */
  const [chosen, setChosen] = useState<boolean>();
  return (
    <FormCard>
      <Stack gap={4}>
        <h2>{t('learning.support.title')}</h2>
        {!data && isError && (
          <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
            {t('translation:error.load')}
          </RetryAlert>
        )}
        {!data && !isError && <SkeletonLines label={t('translation:app.loading')} lines={2} />}
        {data && (
          <Checkbox
            label={t('learning.support.label')}
            description={t('learning.support.hint')}
            checked={chosen ?? data.support_access}
            aria-disabled={isPending || undefined}
            onChange={({ currentTarget }) => {
              if (isPending) return;
              const support_access = currentTarget.checked;
              setChosen(support_access);
              mutate({ support_access }, { onSettled: () => setChosen(undefined) });
            }}
          />
        )}
        <FormAlert>{error && errorText(error)}</FormAlert>
        <div role="status">{isSuccess && t('learning.support.saved')}</div>
      </Stack>
    </FormCard>
  );
}
