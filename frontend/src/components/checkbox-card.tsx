import { Checkbox } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from './form-alert.tsx';
import { FormCard, Stack } from './layout.tsx';
import { RetryAlert } from './retry-alert.tsx';
import { SkeletonLines } from './skeleton-lines.tsx';

type CheckboxCardProps = {
  title: string;
  label: string;
  hint: string;
  /** The stored choice; undefined until it is loaded. */
  checked: boolean | undefined;
  loading: { isError: boolean; isFetching: boolean; refetch: () => unknown };
  isSaving: boolean;
  /** Saves a choice, and calls `onSettled` when it is saved or refused. */
  save: (checked: boolean, onSettled: () => void) => void;
  /** Why it was not saved. */
  failure: string | null;
  /** What was saved. */
  saved: string | null;
};

/** A card with one choice that is saved as soon as it is made. */
export function CheckboxCard({
  title,
  label,
  hint,
  checked,
  loading: { isError, isFetching, refetch },
  isSaving,
  save,
  failure,
  saved,
}: CheckboxCardProps) {
  const { t } = useTranslation();
  /** Until it is saved or refused. */
  const [chosen, setChosen] = useState<boolean>();
  return (
    <FormCard>
      <Stack gap={4}>
        <h2>{title}</h2>
        {checked === undefined && isError && (
          <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
            {t('error.load')}
          </RetryAlert>
        )}
        {checked === undefined && !isError && <SkeletonLines label={t('app.loading')} lines={2} />}
        {checked !== undefined && (
          <Checkbox
            label={label}
            description={hint}
            checked={chosen ?? checked}
            aria-disabled={isSaving || undefined}
            onChange={({ currentTarget }) => {
              if (isSaving) return;
              setChosen(currentTarget.checked);
              save(currentTarget.checked, () => setChosen(undefined));
            }}
          />
        )}
        <FormAlert>{failure}</FormAlert>
        <div role="status">{saved}</div>
      </Stack>
    </FormCard>
  );
}
