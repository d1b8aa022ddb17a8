import { Textfield } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { FormCard } from '#components/form-card.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/read-fields.ts';
import { searchPayments } from '../api.ts';
import styles from './payment-search.module.css';
import { SearchStarted } from './search-started.tsx';

const REASONS = ['password', 'bank', 'address', 'not_paid'] as const;

/** For somebody who has paid and cannot get in: what it mostly is, and a search for the payment. */
export function PaymentSearch() {
  const { t } = useTranslation('purchase');
  const errorText = useErrorText();
  const typed = useRouterState({ select: (state) => state.location.state.email });
  const [blank, setBlank] = useState(false);
  const search = useMutation({
    mutationFn: (email: string) => searchPayments({ email, language: currentLanguage() }),
  });

  const invalid = blank || (search.error instanceof ApiError && search.error.status === 400);
  const failure = search.error && errorText(search.error);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['email']);
    setBlank(missing.length > 0);
    if (missing.length === 0) search.mutate(values.email);
  }

  return (
    <div className={styles.page}>
      <h1>{t('payment_search.title')}</h1>
      <p>{t('payment_search.intro')}</p>
      <ul className={styles.reasons}>
        {REASONS.map((reason) => (
          <li key={reason}>
            <strong>{t(`payment_search.reason.${reason}_title`)}</strong>{' '}
            {t(`payment_search.reason.${reason}_text`)}
          </li>
        ))}
      </ul>
      <FormCard>
        {search.isSuccess ? (
          <SearchStarted email={search.variables} onOther={() => search.reset()} />
        ) : (
          <form noValidate onSubmit={submit}>
            <h2>{t('payment_search.form_title')}</h2>
            <p>{t('payment_search.form_text')}</p>
            <Textfield
              label={t('payment_search.email')}
              name="email"
              type="email"
              autoComplete="email"
              defaultValue={search.variables ?? typed}
              aria-invalid={invalid || undefined}
            />
            <FormAlert>{invalid ? t('payment_search.email_invalid') : failure}</FormAlert>
            <BusyButton type="submit" busy={search.isPending}>
              {t('payment_search.start')}
            </BusyButton>
          </form>
        )}
      </FormCard>
    </div>
  );
}
