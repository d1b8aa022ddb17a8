import '#theme/components.css';
import { Alert, Button, Textfield } from '@digdir/designsystemet-react';
import type { SearchPaymentsRequest } from '@proveklar/contract/payment.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { FormCard } from '#components/layout.tsx';
import { Form } from '#components/form.tsx';
import { Page } from '#components/page.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { api } from '#lib/api-client.ts';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/form-values.ts';
import styles from './payment-search.module.css';

export function PaymentSearchPage() {
  const { t } = useTranslation('purchase');
  return (
    <Page
      title={t('payment_search.title')}
      width="text"
      headerActions={
        <ButtonLink to="/login" variant="tertiary">
          {t('payment_search.sign_in')}
        </ButtonLink>
      }
    >
      <PaymentSearch />
    </Page>
  );
}

const REASONS = ['password', 'bank', 'address', 'not_paid'] as const;

/** For people who have paid and have no access: the usual reasons, and a search for the payment. */
function PaymentSearch() {
  const { t } = useTranslation('purchase');
  const errorText = useErrorText();
  const typed = useRouterState({ select: (state) => state.location.state.email });
  /** The number of attempts without an address, one after the other. */
  const [blanks, setBlanks] = useState(0);
  const search = useMutation({
    mutationFn: (email: string) => searchPayments({ email, language: currentLanguage() }),
  });

  const invalid = blanks > 0 || (search.error instanceof ApiError && search.error.status === 400);
  const failure = search.error && errorText(search.error);

  function submit(form: HTMLFormElement) {
    const { values, missing } = readFields(form, ['email']);
    setBlanks(missing.length > 0 ? blanks + 1 : 0);
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
          <Form
            busy={search.isPending}
            attempt={blanks}
            error={invalid ? t('payment_search.email_invalid') : failure}
            submit={t('payment_search.start')}
            onSubmit={submit}
          >
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
          </Form>
        )}
      </FormCard>
    </div>
  );
}

type SearchStartedProps = { email: string; onOther: () => void };

/** The same for every address, so that it does not reveal who is registered. */
function SearchStarted({ email, onOther }: SearchStartedProps) {
  const { t } = useTranslation('purchase');
  const { data: config } = useQuery(configQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused form has disappeared; focusing the heading makes a screen reader read the message.
  useEffect(() => heading.current?.focus(), []);
  const support = config?.support_email;
  return (
    <>
      <Alert data-color="success">
        <h2 ref={heading} tabIndex={-1} className={styles.started}>
          {t('payment_search.started_title')}
        </h2>
        <p className={styles.text}>{t('payment_search.started_text', { email })}</p>
      </Alert>
      <p>{t('payment_search.started_wait')}</p>
      {support && (
        <p>
          {t('payment_search.contact')}{' '}
          <a className="ds-link" href={`mailto:${support}`}>
            {support}
          </a>
        </p>
      )}
      <Button variant="secondary" onClick={onOther}>
        {t('payment_search.other_address')}
      </Button>
    </>
  );
}

/** Requests a search for the payments of an address. The result comes by mail. */
function searchPayments(body: SearchPaymentsRequest): Promise<{ ok: true }> {
  return api('/payment/search', { method: 'POST', body });
}
