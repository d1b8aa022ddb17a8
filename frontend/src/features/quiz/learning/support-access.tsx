import { useTranslation } from 'react-i18next';
import { CheckboxCard } from '#components/checkbox-card.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { useDrillLanguage } from '../drill-choices.ts';
import { useChangePlan, useLearning } from './api.ts';

/** Whether support may see the learner's progress. */
export function SupportAccess() {
  const { t } = useTranslation('learner');
  const errorText = useErrorText();
  const [language] = useDrillLanguage();
  const { data, isError, isFetching, refetch } = useLearning(language);
  const { mutate, isPending, isSuccess, error } = useChangePlan();
  return (
    <CheckboxCard
      title={t('learning.support.title')}
      label={t('learning.support.label')}
      hint={t('learning.support.hint')}
      checked={data?.support_access}
      loading={{ isError, isFetching, refetch }}
      isSaving={isPending}
      save={(support_access, onSettled) => mutate({ support_access }, { onSettled })}
      failure={error && errorText(error)}
      saved={isSuccess ? t('learning.support.saved') : null}
    />
  );
}
