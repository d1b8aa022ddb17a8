import { Alert } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetEmailChange, pendingEmail, rememberEmailChange } from '#lib/email-change.ts';
import type { SignedInUser } from '#lib/signed-in-user.ts';
import { usePassing } from '../use-passing.ts';
import { useEmailChange } from '../use-email-change.ts';
import { EditableRow } from './editable-row.tsx';
import { EmailForm } from './email-form.tsx';

type EmailRowProps = { user: SignedInUser; email: string; onStale: () => void };

/** The address to sign in with and to be written to. It changes when a mailed link is opened. */
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
