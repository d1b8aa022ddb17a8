import '#theme/components.css';
import { Alert, Textfield } from '@digdir/designsystemet-react';
import {
  MAX_CODES,
  MAX_ORGANISATION_LENGTH,
  MIN_CODES,
  type PacketIntentResponse,
} from '@proveklar/contract/codes.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelPayment } from '#components/card-payment/cancel-payment.ts';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import { usePriceText } from '#components/card-payment/offer.tsx';
import { FormCard, Stack } from '#components/layout.tsx';
import { Form } from '#components/form.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Page } from '#components/page.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { currentLanguage } from '#i18n/i18n.ts';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText } from '#lib/error-text.ts';
import { isEmail, readFields } from '#lib/form-values.ts';
import { formatKroner } from '#lib/format.ts';
import { useHeadingFocus } from '#lib/use-focus.ts';
import { createPacketIntent } from './api.ts';
import styles from './codes.module.css';

interface Order {
  organisation: string;
  organisation_number: string;
  email: string;
  codes: number;
}

type Started = { order: Order; intent: PacketIntentResponse };

/** For schools and employers: what codes are, and the purchase of a packet by card. */
export function BuyCodesPage() {
  const { t } = useTranslation('codes');
  const [started, setStarted] = useState<Started>();
  // Kept for the form when the buyer comes back from the card.
  const [order, setOrder] = useState<Order>();
  const [cancelled, setCancelled] = useState(false);
  const step = started ? 'card' : 'form';
  useHeadingFocus(step);

  return (
    <Page title={t('buy.title')} width="text">
      <div className={styles.page}>
        {started ? (
          <FormCard>
            <PayStep
              started={started}
              onBack={() => setStarted(undefined)}
              onCancelled={() => {
                setCancelled(true);
                setStarted(undefined);
              }}
            />
          </FormCard>
        ) : (
          <>
            <Explanation />
            <FormCard>
              <OrderForm
                initial={order}
                cancelled={cancelled}
                onStarted={(next) => {
                  setOrder(next.order);
                  setCancelled(false);
                  setStarted(next);
                }}
              />
            </FormCard>
            <p>
              {t('buy.lost')}{' '}
              <Link to="/betalt" className="ds-link tap">
                {t('buy.lost_link')}
              </Link>
            </p>
          </>
        )}
      </div>
    </Page>
  );
}

const STEPS = ['how_1', 'how_2', 'how_3', 'how_4'] as const;

function Explanation() {
  const { t } = useTranslation('codes');
  return (
    <Stack gap={4}>
      <h1>{t('buy.title')}</h1>
      <p>{t('buy.intro')}</p>
      <h2>{t('buy.how_title')}</h2>
      <ol className={styles.steps}>
        {STEPS.map((step) => (
          <li key={step}>{t(`buy.${step}`)}</li>
        ))}
      </ol>
    </Stack>
  );
}

const FIELDS = ['organisation', 'email', 'codes'] as const;
type Faults = Partial<Record<keyof Order, string>>;

type OrderFormProps = {
  initial: Order | undefined;
  /** The buyer has just left a payment for good. */
  cancelled: boolean;
  onStarted: (started: Started) => void;
};

function OrderForm({ initial, cancelled, onStarted }: OrderFormProps) {
  const { t, i18n } = useTranslation(['translation', 'codes']);
  const errorText = useErrorText();
  const priceText = usePriceText('packet');
  const { data: config } = useQuery(configQuery);
  const [count, setCount] = useState(String(initial?.codes ?? 10));
  const [faults, setFaults] = useState<Faults>({});
  const bounds = { min: MIN_CODES, max: MAX_CODES };
  const begin = useMutation({
    mutationFn: async (order: Order) => {
      const { organisation_number: number, ...rest } = order;
      const body = { ...rest, language: currentLanguage() };
      return createPacketIntent(number ? { ...body, organisation_number: number } : body);
    },
    onSuccess: (intent, order) => onStarted({ order, intent }),
    onError: (error) => {
      const field = error instanceof ApiError && String(error.details.field);
      if (field === 'organisation_number') {
        setFaults({ organisation_number: t('codes:buy.number_invalid') });
      } else if (field === 'codes') setFaults({ codes: errorText(error) });
      else if (field === 'email') setFaults({ email: t('error.code.email_refused') });
    },
  });
  if (!config) return <SkeletonLines label={t('app.loading')} lines={4} />;
  const isFree = begin.error instanceof ApiError && begin.error.code === 'service_free';
  if (config.price === 0 || isFree) {
    return (
      <>
        <h2>{t('codes:buy.free_title')}</h2>
        <p>{t('codes:buy.free_text')}</p>
        <ButtonLink to="/quiz" search={{ mode: 'register' }}>
          {t('auth.create_account')}
        </ButtonLink>
      </>
    );
  }
  const codes = Number(count);
  const isCount = Number.isInteger(codes) && codes >= MIN_CODES && codes <= MAX_CODES;

  function submit(form: HTMLFormElement) {
    const { values, missing } = readFields(form, [...FIELDS, 'organisation_number']);
    const number = values.organisation_number.replaceAll(/\s/g, '');
    const found: Faults = {};
    for (const name of FIELDS) if (missing.includes(name)) found[name] = t('fields.missing');
    if (!isEmail(values.email)) found.email ??= t('fields.email_invalid');
    if (!isCount) found.codes ??= t('codes:buy.codes_invalid', bounds);
    if (number && !/^\d{9}$/.test(number)) {
      found.organisation_number = t('codes:buy.number_invalid');
    }
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    const { organisation, email } = values;
    begin.mutate({ organisation, organisation_number: number, email, codes });
  }

  const isFieldError = Object.keys(faults).length > 0;
  const failure =
    begin.error && !isFieldError && t('codes:buy.failed', { message: errorText(begin.error) });
  return (
    <Form
      busy={begin.isPending}
      faults={faults}
      error={failure}
      submit={t('codes:buy.submit')}
      onSubmit={submit}
    >
      <h2>{t('codes:buy.form_title')}</h2>
      {cancelled && (
        <Alert data-color="info" data-size="sm" role="status">
          <strong>{t('codes:buy.cancelled_title')}.</strong> {t('codes:buy.cancelled_text')}
        </Alert>
      )}
      <Textfield
        label={t('codes:buy.organisation')}
        description={t('codes:buy.organisation_hint')}
        name="organisation"
        autoComplete="organization"
        maxLength={MAX_ORGANISATION_LENGTH}
        defaultValue={initial?.organisation}
        error={faults.organisation}
      />
      <Textfield
        label={t('codes:buy.number')}
        description={t('codes:buy.number_hint')}
        name="organisation_number"
        inputMode="numeric"
        autoComplete="off"
        defaultValue={initial?.organisation_number}
        error={faults.organisation_number}
      />
      <Textfield
        label={t('codes:buy.email')}
        description={t('codes:buy.email_hint')}
        name="email"
        type="email"
        autoComplete="email"
        defaultValue={initial?.email}
        error={faults.email}
      />
      <Textfield
        label={t('codes:buy.codes')}
        description={t('codes:buy.codes_hint', bounds)}
        name="codes"
        inputMode="numeric"
        autoComplete="off"
        className={styles.count}
        value={count}
        onChange={(event) => setCount(event.currentTarget.value.trim())}
        error={faults.codes}
      />
      <div>
        <p>
          {t('codes:buy.price', {
            price: priceText(Math.round(config.price * 100)),
            count: config.service_days,
          })}
        </p>
        <p role="status" className={styles.total}>
          {isCount &&
            t('codes:buy.total', {
              price: formatKroner((Math.round(config.price * 100) * codes) / 100, i18n.language),
            })}
        </p>
      </div>
    </Form>
  );
}

type PayStepProps = { started: Started; onBack: () => void; onCancelled: () => void };

function PayStep({ started, onBack, onCancelled }: PayStepProps) {
  const { t, i18n } = useTranslation('codes');
  const navigate = useNavigate();
  const { order, intent } = started;
  const { organisation, codes, email } = order;
  const showPacket = () =>
    void navigate({ to: '/skoler/koder', hash: `key=${intent.packet_key}`, replace: true });

  async function cancel() {
    const done = await cancelPayment(intent);
    if (done === 'cancelled') onCancelled();
    // The page of the packet finds out what became of it.
    else showPacket();
  }

  if (intent.client_secret === null) return null;
  return (
    <>
      <h1>{t('buy.pay_title')}</h1>
      <p>{t('buy.pay_summary', { codes, organisation })}</p>
      <LazyCardPayment
        clientSecret={intent.client_secret}
        amount={intent.amount}
        serviceDays={intent.service_days}
        purchase="packet"
        payLabel={t('buy.pay', { price: formatKroner(intent.amount / 100, i18n.language), codes })}
        buyer={{ name: organisation, email }}
        onDone={showPacket}
        onBack={onBack}
        onCancel={cancel}
      />
    </>
  );
}
