import { Alert, Textfield } from '@digdir/designsystemet-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '#components/password-field.tsx';
import { forgetEmailChange, pendingEmail, rememberEmailChange } from '#lib/email-change.ts';
import { isEmail, readFields } from '#lib/form-values.ts';
import type { SignedInUser } from '#lib/identity.ts';
import { identity } from '#lib/session.ts';
import { changeEmail } from './api.ts';
import { EditableRow, RowForm, usePassing } from './editable-row.tsx';
import { useIdentityCall } from './identity-call.ts';

type EmailRowProps = { user: SignedInUser; email: string; onStale: () => void };

/** The learner's email address. It changes when a mailed link is opened. */
export function EmailRow({ user, email, onStale }: EmailRowProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const { uid, hasPassword } = user;
  const [sentTo, setSentTo] = useState(() => pendingEmail(uid));
  const [changedTo, setChangedTo] = usePassing('');
  const [editing, setEditing] = useState(false);
  useEmailChange(sentTo, email, (changed) => {
    forgetEmailChange();
    setSentTo(null);
    setChangedTo(changed);
    onStale();
  });

  const news = changedTo ? (
    <Alert data-color="success" data-size="sm">
      {t('profile.email.changed', { email: changedTo })}
    </Alert>
  ) : (
    sentTo !== null && (
      <Alert data-color="info" data-size="sm">
        <p>{t('profile.email.sent', { email: sentTo, old: email })}</p>
        <p>{t('profile.email.nothing_came')}</p>
      </Alert>
    )
  );

  return (
    <EditableRow
      label={t('translation:account.email')}
      value={
        <>
          {email}
          {!hasPassword && <p className="muted">{t('profile.email.google')}</p>}
        </>
      }
      news={news}
      editing={editing}
      onEdit={hasPassword ? () => setEditing(true) : undefined}
    >
      <EmailForm
        current={email}
        onClose={() => setEditing(false)}
        onSent={(to) => {
          rememberEmailChange(uid, to);
          setSentTo(to);
          setChangedTo('');
          setEditing(false);
        }}
      />
    </EditableRow>
  );
}

type EmailFormProps = { current: string; onSent: (to: string) => void; onClose: () => void };

/** Asks for the new address and the password, so that a page left open cannot lose the account. */
function EmailForm({ current, onSent, onClose }: EmailFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const { call, busy, said, say } = useIdentityCall();
  const [wrong, setWrong] = useState<string[]>([]);

  async function submit(form: HTMLFormElement) {
    const { values, missing } = readFields(form, ['email', 'password']);
    const email = values.email.toLowerCase();
    const invalid = missing.length === 0 && (!isEmail(email) || email === current);
    setWrong(invalid ? ['email'] : missing);
    if (missing.length > 0) say(t('translation:fields.fill_in_all'));
    else if (email === current) say(t('profile.email.same'));
    else if (invalid) say(t('translation:fields.email_invalid'));
    if (missing.length > 0 || invalid) return;
    const sent = await call(async (changes) => {
      await changes.confirmPassword(values.password);
      await changeEmail(email);
    });
    if (sent) onSent(email);
  }

  return (
    <RowForm
      busy={busy}
      {...said}
      submit={t('profile.email.send')}
      onSubmit={(form) => void submit(form)}
      onCancel={onClose}
    >
      <Textfield
        label={t('profile.email.new')}
        description={t('profile.email.hint')}
        name="email"
        type="email"
        autoComplete="email"
        aria-invalid={wrong.includes('email') || undefined}
      />
      <PasswordField
        autoComplete="current-password"
        label={t('profile.password.current')}
        invalid={wrong.includes('password')}
      />
    </RowForm>
  );
}

/**
 * Checks whether the link to the new address was opened elsewhere, whenever the learner returns to the page.
 * If that has ended the session, the identity provider signs the learner out.
 *
 * @param pending the address that the link was sent to
 * @param current the account's address
 */
function useEmailChange(
  pending: string | null,
  current: string,
  onChanged: (email: string) => void,
): void {
  const look = useEffectEvent(async (now: string) => {
    if (pending === null) return;
    if (now.toLowerCase() === pending) {
      onChanged(pending);
      return;
    }
    if (document.visibilityState === 'hidden') return;
    try {
      const changes = await (await identity()).changes();
      const email = (await changes.refresh()).toLowerCase();
      if (email === pending) onChanged(email);
    } catch {
      // For example offline; the next check will do.
    }
  });
  // The address may have changed before the first check, or by a live update.
  useEffect(() => void look(current), [current]);
  useEffect(() => {
    const onReturn = () => void look(current);
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
    };
  }, [current]);
}
