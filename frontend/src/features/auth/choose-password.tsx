import '#theme/components.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { Form } from '#components/form.tsx';
import { FormCard } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { seemsSignedIn } from '#lib/cookies.ts';
import { useErrorText } from '#lib/error-text.ts';
import { isTooShort, readFields } from '#lib/form-values.ts';
import { identity } from '#lib/session.ts';
import { choosePassword, passwordLinkQuery } from './api.ts';
import styles from './auth.module.css';

/** The page of a mailed link. Its token is in the fragment, which browsers send to no server. */
export function ChoosePasswordPage() {
  const hash = useRouterState({ select: (state) => state.location.hash });
  const token = new URLSearchParams(hash).get('token') ?? '';
  return <PasswordLink key={token} token={token} />;
}

function PasswordLink({ token }: { token: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const link = useQuery({ ...passwordLinkQuery(token), enabled: token !== '' });
  const choice = useMutation({
    mutationFn: async (password: string) => {
      const chosen = await choosePassword({ token, password });
      // Also ended by the server. Otherwise this browser would find that out at its next call.
      if (seemsSignedIn()) {
        await identity()
          .then((provider) => provider.signOut())
          .catch(() => {});
      }
      return chosen;
    },
  });
  const dead = token === '' ? 'unknown' : (deadBy(choice.error) ?? deadBy(link.error));
  const title = t('auth.choose_title');

  if (choice.isSuccess) {
    return (
      <Outcome title={t('auth.choose_done_title')} text={t('auth.choose_done_text')}>
        <ButtonLink to="/login" state={{ email: choice.data.email }} className={styles.wide}>
          {t('auth.sign_in')}
        </ButtonLink>
      </Outcome>
    );
  }
  if (dead) {
    return (
      <Outcome title={t(`auth.choose_${dead}_title`)} text={t(`auth.choose_${dead}_text`)}>
        <ButtonLink
          to="/login"
          search={{ mode: 'reset' }}
          state={{ email: link.data?.email }}
          className={styles.wide}
        >
          {t('auth.choose_again')}
        </ButtonLink>
        <ButtonLink to="/login" variant="secondary" className={styles.wide}>
          {t('auth.sign_in')}
        </ButtonLink>
      </Outcome>
    );
  }
  return (
    <Page title={title} width="form">
      <FormCard>
        <h1>{title}</h1>
        {link.isPending && <SkeletonLines label={t('auth.choose_checking')} />}
        {link.isError && (
          <RetryAlert
            title={t('auth.choose_failed_title')}
            busy={link.isFetching}
            onRetry={() => void link.refetch()}
          >
            {errorText(link.error)}
          </RetryAlert>
        )}
        {link.data && (
          <PasswordForm
            email={link.data.email}
            busy={choice.isPending}
            error={choice.error}
            onChosen={(password) => choice.mutate(password)}
          />
        )}
      </FormCard>
    </Page>
  );
}

const REASONS = ['used', 'expired', 'unknown'] as const;

/** Why the link can never be used; undefined if that is not known. */
function deadBy(error: unknown): (typeof REASONS)[number] | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.code === 'validation_failed') return 'unknown';
  if (error.code !== 'password_link_invalid') return undefined;
  return REASONS.find((reason) => reason === error.details.reason) ?? 'unknown';
}

type PasswordFormProps = {
  email: string;
  busy: boolean;
  error: unknown;
  onChosen: (password: string) => void;
};

function PasswordForm({ email, busy, error, onChosen }: PasswordFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [short, setShort] = useState(false);
  // A new object for each attempt, which moves the focus.
  const [attempt, setAttempt] = useState<object>();
  const isRefused = error instanceof ApiError && error.code === 'password_refused';
  const refused = isRefused ? errorText(error) : undefined;
  const refusal = short ? t('registration.password_short') : refused;

  // The focus moves when the answer has come.
  const faults = refusal && !busy ? attempt : undefined;

  function submit(form: HTMLFormElement) {
    const { password } = readFields(form, ['password']).values;
    setShort(isTooShort(password));
    setAttempt({});
    if (!isTooShort(password)) onChosen(password);
  }

  return (
    <Form
      busy={busy}
      error={error && !isRefused && !short ? errorText(error) : undefined}
      {...(faults && { faults })}
      submit={t('auth.choose_save')}
      onSubmit={submit}
    >
      <p className={styles.text}>{t('auth.choose_email', { email })}</p>
      {/* With it, password managers update the right entry. */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        autoComplete="new-password"
        label={t('auth.choose_password')}
        description={t('fields.password_hint')}
        error={refusal}
      />
    </Form>
  );
}

type OutcomeProps = { title: string; text: string; children: ReactNode };

function Outcome({ title, text, children }: OutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused form has disappeared; focusing the heading makes a screen reader read the message.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Page title={title} width="form">
      <FormCard>
        <h1 ref={heading} tabIndex={-1} className={styles.heading}>
          {title}
        </h1>
        <p className={styles.text}>{text}</p>
        <div className={styles.again}>{children}</div>
      </FormCard>
    </Page>
  );
}
