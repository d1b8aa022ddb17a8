import { Alert, Textfield } from '@digdir/designsystemet-react';
import type { AccountResponse } from '@proveklar/contract/account.ts';
import { MAX_NAME_LENGTH } from '@proveklar/contract/limits.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordField } from '#components/password-field.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { isTooShort, readFields } from '#lib/form-values.ts';
import type { SignedInUser } from '#lib/identity.ts';
import { identity, renewSession } from '#lib/session.ts';
import { changePassword, changeProfile } from './api.ts';
import { EditableRow, RowForm, usePassing } from './editable-row.tsx';
import { EmailRow } from './email-row.tsx';
import { useIdentityCall } from './identity-call.ts';
import styles from './profile.module.css';

type ProfileSectionProps = {
  user: SignedInUser;
  account: AccountResponse;
  onAccount: (account: AccountResponse) => void;
  onStale: () => void;
};

/** The learner's profile, with buttons to change it. */
export function ProfileSection({ user, account, onAccount, onStale }: ProfileSectionProps) {
  return (
    <div className={styles.section}>
      <NameRow name={account.display_name} onAccount={onAccount} onStale={onStale} />
      <EmailRow user={user} email={account.email} onStale={onStale} />
      <PasswordRow hasPassword={user.hasPassword} />
    </div>
  );
}

type NameRowProps = {
  name: string | null;
  onAccount: (account: AccountResponse) => void;
  /** Called when a change may have been made without an answer. */
  onStale: () => void;
};

/** The display name, which is used in greetings on pages and in mails. */
function NameRow({ name, onAccount, onStale }: NameRowProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const [saved, setSaved] = usePassing(false);
  const [editing, setEditing] = useState(false);
  return (
    <EditableRow
      label={t('translation:account.display_name')}
      value={name ?? t('translation:account.not_set')}
      news={
        saved && (
          <Alert data-color="success" data-size="sm">
            {t('profile.name.saved')}
          </Alert>
        )
      }
      editing={editing}
      onEdit={() => {
        setSaved(false);
        setEditing(true);
      }}
    >
      <NameForm
        name={name}
        onStale={onStale}
        onClose={() => setEditing(false)}
        onSaved={(account) => {
          onAccount(account);
          setSaved(true);
          setEditing(false);
        }}
      />
    </EditableRow>
  );
}

type NameFormProps = {
  name: string | null;
  onSaved: (account: AccountResponse) => void;
  onStale: () => void;
  onClose: () => void;
};

function NameForm({ name, onSaved, onStale, onClose }: NameFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const [missing, setMissing] = useState<string[]>([]);
  const mutation = useMutation({
    mutationFn: async (display_name: string) => {
      const account = await changeProfile({ display_name });
      // Updates the name in the greeting. A failure is harmless: the next sign-in updates it, too.
      await identity()
        .then((provider) => provider.changes())
        .then((changes) => changes.refresh())
        .catch(() => {});
      return account;
    },
    onSuccess: onSaved,
    onError: onStale,
  });
  const savedHere = mutation.error instanceof ApiError && mutation.error.details.saved === true;

  function submit(form: HTMLFormElement) {
    const fields = readFields(form, ['display_name']);
    // As in the registration.
    setMissing(fields.missing);
    if (fields.missing.length === 0) mutation.mutate(fields.values.display_name);
  }

  return (
    <RowForm
      busy={mutation.isPending}
      faults={missing}
      error={
        mutation.error && (savedHere ? t('profile.name.only_here') : errorText(mutation.error))
      }
      submit={t('profile.save')}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Textfield
        label={t('profile.name.new')}
        description={t('profile.name.hint')}
        name="display_name"
        autoComplete="name"
        maxLength={MAX_NAME_LENGTH}
        defaultValue={name ?? ''}
        error={missing.length > 0 && t('translation:fields.missing')}
      />
    </RowForm>
  );
}

/** The password; users who sign in with Google only have none here. */
function PasswordRow({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation(['learner', 'translation']);
  const [changed, setChanged] = usePassing(false);
  const [editing, setEditing] = useState(false);
  return (
    <EditableRow
      label={t('translation:fields.password')}
      value={
        hasPassword ? (
          <span aria-label={t('profile.password.hidden')} role="img">
            ••••••••
          </span>
        ) : (
          <p className="muted">{t('profile.password.google')}</p>
        )
      }
      news={
        changed && (
          <Alert data-color="success" data-size="sm">
            {t('profile.password.changed')}
          </Alert>
        )
      }
      editing={editing}
      onEdit={
        hasPassword
          ? () => {
              setChanged(false);
              setEditing(true);
            }
          : undefined
      }
    >
      <PasswordForm
        onClose={() => setEditing(false)}
        onChanged={() => {
          setChanged(true);
          setEditing(false);
        }}
      />
    </EditableRow>
  );
}

type PasswordFormProps = { onChanged: () => void; onClose: () => void };

function PasswordForm({ onChanged, onClose }: PasswordFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const { call, busy, said, say } = useIdentityCall();
  const [wrong, setWrong] = useState<string[]>([]);

  async function submit(form: HTMLFormElement) {
    const { values, missing } = readFields(form, ['password', 'password_new']);
    const short = missing.length === 0 && isTooShort(values.password_new);
    setWrong(short ? ['password_new'] : missing);
    if (missing.length > 0) say(t('translation:fields.fill_in_all'));
    else if (short) say(t('translation:registration.password_short'));
    if (missing.length > 0 || short) return;
    const { password, password_new: next } = values;
    const done = await call(async (changes) => {
      await changes.confirmPassword(password);
      await renewSession(async () => {
        await changePassword(next);
        await changes.confirmPassword(next);
      });
    });
    if (done) onChanged();
  }

  return (
    <RowForm
      busy={busy}
      {...said}
      submit={t('profile.password.submit')}
      onSubmit={(form) => void submit(form)}
      onCancel={onClose}
    >
      <PasswordField
        autoComplete="current-password"
        label={t('profile.password.current')}
        invalid={wrong.includes('password')}
      />
      <PasswordField
        autoComplete="new-password"
        name="password_new"
        label={t('profile.password.new')}
        description={t('translation:fields.password_hint')}
        invalid={wrong.includes('password_new')}
      />
    </RowForm>
  );
}
