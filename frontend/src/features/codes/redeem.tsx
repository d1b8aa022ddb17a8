import { Alert, Textfield } from '@digdir/designsystemet-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '#components/form.tsx';
import { FormCard } from '#components/layout.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/form-values.ts';
import { redeemCode } from './api.ts';

/** Under Account: a code of a school or an employer becomes days. */
export function RedeemCode({ accountKey }: { accountKey: readonly string[] }) {
  const { t } = useTranslation('codes');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [faults, setFaults] = useState<{ code?: string }>({});
  const redeem = useMutation({
    mutationFn: redeemCode,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: accountKey }),
    onError: (error) => setFaults({ code: errorText(error) }),
  });

  function submit(form: HTMLFormElement) {
    const { values, missing } = readFields(form, ['code']);
    redeem.reset();
    setFaults(missing.length > 0 ? { code: t('redeem.missing') } : {});
    if (missing.length > 0) return;
    redeem.mutate(values.code, { onSuccess: () => form.reset() });
  }

  return (
    <FormCard>
      <Form
        busy={redeem.isPending}
        faults={faults}
        submit={t('redeem.submit')}
        button={{ variant: 'secondary' }}
        onSubmit={submit}
      >
        <h2>{t('redeem.title')}</h2>
        <p>{t('redeem.text')}</p>
        <Textfield
          label={t('redeem.label')}
          description={t('redeem.hint')}
          name="code"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          error={faults.code}
        />
        <div role="status">
          {redeem.data && (
            <Alert data-color="success" data-size="sm">
              {t('redeem.done', { count: redeem.data.days_remaining })}
            </Alert>
          )}
        </div>
      </Form>
    </FormCard>
  );
}
