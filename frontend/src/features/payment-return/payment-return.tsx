import '#theme/components.css';
import { Button } from '@digdir/designsystemet-react';
import type { IntentResponse, PaymentStatusResponse } from '@proveklar/contract/payment.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { cancelPayment } from '#components/card-payment/cancel-payment.ts';
import { LazyCardPayment } from '#components/card-payment/lazy-card-payment.tsx';
import { PaidLink } from '#components/card-payment/offer.tsx';
import { PaymentProblem } from '#components/card-payment/payment-problem.tsx';
import { SettlingPayment } from '#components/card-payment/settling.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { Form } from '#components/form.tsx';
import { FormCard } from '#components/layout.tsx';
import { ButtonLink } from '#components/link.tsx';
import { Page } from '#components/page.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { isTooShort, readFields } from '#lib/form-values.ts';
import { formatKroner } from '#lib/format.ts';
import { forgetPaying, forgetPayment } from '#lib/payment-keys.ts';
import { paymentStatusQuery, type ReturnedPayment } from './api.ts';
import styles from './payment-return.module.css';

/** A registration that was paid and now has its password, and the ways on if it cannot be completed. */
export type PaidRegistration = {
  pending: {
    person: { email: string; username: string; password: string };
    intent: IntentResponse;
  };
  onOtherCard: () => void;
  onStartAgain: () => void;
};

type PaymentReturnPageProps = {
  payment: ReturnedPayment | undefined;
  /** Creates the account, and shows the outcome. */
  renderRegistration: (paid: PaidRegistration) => ReactNode;
};

/**
 * Where a bank or wallet sends its customer back to: in the same tab, in another one, on another device, or an hour
 * later. So it uses nothing that another page has in memory. What the address says of the outcome is ignored: the
 * server asks the provider.
 */
export function PaymentReturnPage({ payment, renderRegistration }: PaymentReturnPageProps) {
  const { t } = useTranslation('purchase');
  return (
    <Page title={t('payment_return.title')} width="form">
      <FormCard>
        {payment ? (
          <ReturnedPaymentSteps
            key={payment.id}
            payment={payment}
            renderRegistration={renderRegistration}
          />
        ) : (
          <UnknownPayment />
        )}
      </FormCard>
    </Page>
  );
}

/** The steps after the return. `outcome` begins when a registration has its password. */
type Step =
  | { name: 'status' | 'checking' | 'form' }
  | { name: 'outcome'; pending: PaidRegistration['pending'] };

/** States in which nothing was paid, and a payment can be started. */
const UNPAID = new Set<PaymentStatusResponse['status']>([
  'unpaid',
  'requires_action',
  'cancelled',
  'expired',
]);

type ReturnedPaymentStepsProps = PaymentReturnPageProps & { payment: ReturnedPayment };

function ReturnedPaymentSteps({ payment, renderRegistration }: ReturnedPaymentStepsProps) {
  const { t } = useTranslation(['translation', 'purchase']);
  const errorText = useErrorText();
  const [step, setStep] = useState<Step>({ name: 'status' });
  // Also while it is checked: a query that is enabled again would ask a second time.
  const enabled = step.name === 'status' || step.name === 'checking';
  const query = useQuery({ ...paymentStatusQuery(payment), enabled });
  const { data: found, error, isFetching, refetch } = query;
  useForgetWhenOver(found);

  /** Asks again, also for a payment whose last answer was final, which is not shown meanwhile. */
  async function lookAgain() {
    setStep({ name: 'checking' });
    await refetch();
    setStep({ name: 'status' });
  }

  if (step.name === 'outcome') {
    return renderRegistration({
      pending: step.pending,
      onOtherCard: () => setStep({ name: 'form' }),
      onStartAgain: () => void lookAgain(),
    });
  }
  if (error instanceof ApiError && error.code === 'payment_not_found') return <UnknownPayment />;
  const failure = error && (
    <RetryAlert
      title={t('purchase:payment_return.failed_title')}
      label={t('purchase:payment_return.check_again')}
      busy={isFetching}
      onRetry={() => void refetch()}
    >
      {errorText(error)}
      {/* What is shown below says whether to pay. */}
      {!(found && UNPAID.has(found.status)) && ` ${t('purchase:payment_return.failed_text')}`}
    </RetryAlert>
  );
  if (!found || step.name === 'checking') {
    const checking = t('purchase:payment_return.checking');
    return (
      <>
        <h1>{t('purchase:payment_return.title')}</h1>
        {found || !failure ? <SkeletonLines label={checking} lines={4} /> : failure}
        {!found && failure && <PaidLink />}
      </>
    );
  }

  if (step.name === 'form') {
    const { registration } = found;
    return (
      <>
        <h1>{t('payment.title')}</h1>
        <LazyCardPayment
          clientSecret={payment.clientSecret}
          amount={found.amount}
          serviceDays={found.service_days}
          buyer={{ name: registration?.username ?? null, email: registration?.email ?? null }}
          onDone={() => void lookAgain()}
          onBack={() => void lookAgain()}
        />
      </>
    );
  }
  return (
    <>
      <Returned
        found={found}
        payment={payment}
        onTryAgain={() => setStep({ name: 'form' })}
        onLookAgain={() => void lookAgain()}
        onPassword={(password) => {
          if (!found.registration) return;
          const { email, username } = found.registration;
          const intent = {
            client_secret: payment.clientSecret,
            payment_intent_id: payment.id,
            amount: found.amount,
            service_days: found.service_days,
          };
          setStep({ name: 'outcome', pending: { person: { email, username, password }, intent } });
        }}
      />
      {/* The state above is the last one that is known. */}
      {failure}
    </>
  );
}

/** This browser may remember that a card was sent. That notice is outdated once the outcome is known. */
function useForgetWhenOver(found: PaymentStatusResponse | undefined) {
  const status = found?.status;
  useEffect(() => {
    if (status === 'settled' || status === 'cancelled' || status === 'expired') forgetPayment();
    else if (status === 'unpaid') forgetPaying();
  }, [status]);
}

type ReturnedProps = {
  found: PaymentStatusResponse;
  payment: ReturnedPayment;
  onTryAgain: () => void;
  onLookAgain: () => void;
  onPassword: (password: string) => void;
};

/** A screen for each state in which a payment can come back. */
function Returned({ found, payment, onTryAgain, onLookAgain, onPassword }: ReturnedProps) {
  const { t } = useTranslation('purchase');
  const { status, purpose, registration } = found;
  const isRegistration = purpose === 'registration';
  if (found.packet_key) {
    return <Navigate to="/skoler/koder" hash={`key=${found.packet_key}`} replace />;
  }
  if (status === 'processing') {
    return (
      <>
        <Heading>{t('payment_return.title')}</Heading>
        <SettlingPayment paid waiting="processing" />
      </>
    );
  }
  if (status === 'requires_action' || status === 'unpaid') {
    return (
      <NotPaid
        status={status}
        payment={payment}
        onTryAgain={onTryAgain}
        onCancelled={onLookAgain}
      />
    );
  }
  if (status === 'paid' || status === 'settled') {
    if (registration?.needs_password) {
      return <ChoosePassword found={found} email={registration.email} onChosen={onPassword} />;
    }
    return isRegistration ? <Registered found={found} /> : <Extended found={found} />;
  }
  const problem = status === 'needs_help' ? 'mismatch' : status;
  return <Problem problem={problem} isRegistration={isRegistration} />;
}

type NotPaidProps = {
  status: 'unpaid' | 'requires_action';
  payment: ReturnedPayment;
  onTryAgain: () => void;
  /** The payment is over: the server knows how. */
  onCancelled: () => void;
};

/** The customer said no, or closed the page of the bank. It can still be paid there: then this page finds out. */
function NotPaid({ status, payment, onTryAgain, onCancelled }: NotPaidProps) {
  const { t } = useTranslation('purchase');
  const cancel = useMutation({
    mutationFn: () =>
      cancelPayment({ payment_intent_id: payment.id, client_secret: payment.clientSecret }),
    onSuccess: (done) => {
      if (done !== 'unknown') onCancelled();
    },
  });

  return (
    <>
      <Heading>{t(`payment_return.${status}_title`)}</Heading>
      <p>{t(`payment_return.${status}_text`)}</p>
      <FormAlert>
        {cancel.data === 'unknown' && (
          <>
            <h2>{t('payment.problem.cancel_unknown_title')}</h2>
            <p>{t('payment.problem.cancel_unknown_text')}</p>
          </>
        )}
      </FormAlert>
      <div className={styles.ways}>
        <Button onClick={onTryAgain} disabled={cancel.isPending}>
          {t('payment_return.try_again')}
        </Button>
        <BusyButton variant="tertiary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {t('payment.cancel')}
        </BusyButton>
      </div>
    </>
  );
}

type ChoosePasswordProps = {
  found: PaymentStatusResponse;
  email: string;
  onChosen: (password: string) => void;
};

/** The password that was typed before the payment was only in the memory of a page that is gone. */
function ChoosePassword({ found, email, onChosen }: ChoosePasswordProps) {
  const { t, i18n } = useTranslation(['translation', 'purchase']);
  const [tooShort, setTooShort] = useState(false);
  const [faults, setFaults] = useState<object>();

  function submit(form: HTMLFormElement) {
    const { password } = readFields(form, ['password']).values;
    const short = isTooShort(password);
    setTooShort(short);
    if (short) setFaults({});
    else onChosen(password);
  }

  return (
    <>
      <Heading>{t('purchase:payment_return.paid_title')}</Heading>
      <p>
        {t('purchase:payment_return.paid_text', {
          amount: formatKroner(found.amount / 100, i18n.language),
        })}
      </p>
      <p>{t('purchase:payment_return.password_text', { email })}</p>
      <Form
        busy={false}
        submit={t('purchase:payment_return.password_save')}
        {...(faults && { faults })}
        onSubmit={submit}
      >
        {/* With it, password managers store the right entry. */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          autoComplete="new-password"
          description={t('fields.password_hint')}
          error={tooShort ? t('registration.password_short') : undefined}
        />
      </Form>
    </>
  );
}

/** The account is there, and its owner has a password, or a mail with a link to choose one. */
function Registered({ found }: { found: PaymentStatusResponse }) {
  const { t } = useTranslation('purchase');
  const navigate = useNavigate();
  const email = found.registration?.email;
  const goTo = (mode?: 'reset') =>
    void navigate({ to: '/login', search: mode ? { mode } : {}, state: email ? { email } : {} });
  return (
    <>
      <Heading>{t('payment_return.settled_title')}</Heading>
      <p>{t('payment_return.registered_text', { count: found.service_days })}</p>
      <div className={styles.ways}>
        <Button onClick={() => goTo()}>{t('payment_search.sign_in')}</Button>
        <Button variant="secondary" onClick={() => goTo('reset')}>
          {t('registered.to_reset')}
        </Button>
      </div>
    </>
  );
}

function Extended({ found }: { found: PaymentStatusResponse }) {
  const { t } = useTranslation(['translation', 'purchase']);
  return (
    <>
      <Heading>{t('purchase:payment_return.settled_title')}</Heading>
      <p>{t('purchase:payment_return.extended_text', { count: found.service_days })}</p>
      <ButtonLink to="/quiz">{t('billing.to_quiz')}</ButtonLink>
    </>
  );
}

type ProblemProps = { problem: 'cancelled' | 'expired' | 'mismatch'; isRegistration: boolean };

function Problem({ problem, isRegistration }: ProblemProps) {
  const { t } = useTranslation('purchase');
  const navigate = useNavigate();
  return (
    <>
      <h1>{t('payment_return.title')}</h1>
      <PaymentProblem
        problem={problem}
        error={null}
        busy={false}
        onStartAgain={() =>
          void navigate(
            isRegistration
              ? { to: '/quiz', search: { mode: 'register' } }
              : { to: '/quiz/billing' },
          )
        }
      />
    </>
  );
}

/** The address has no payment, or not one of ours: it was opened without its end, or typed. */
function UnknownPayment() {
  const { t } = useTranslation(['translation', 'purchase']);
  return (
    <>
      <Heading>{t('purchase:payment_return.unknown_title')}</Heading>
      <p>{t('purchase:payment_return.unknown_text')}</p>
      <PaidLink />
      <ButtonLink to="/quiz">{t('actions.to_quiz_home')}</ButtonLink>
    </>
  );
}

/** The screen has changed without a click, so the heading gets the focus and is read out. */
function Heading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h1 ref={heading} tabIndex={-1} className={styles.heading}>
      {children}
    </h1>
  );
}
