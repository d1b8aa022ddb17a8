import type { AccountResponse } from '@proveklar/contract/account.ts';
import { Alert, Textfield } from '@digdir/designsystemet-react';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_NAME_LENGTH } from '@proveklar/contract/limits.ts';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/read-fields.ts';
import { identity } from '#lib/session.ts';
import { changeProfile } from '../api.ts';
import { usePassing } from '../use-passing.ts';
import { EditableRow } from './editable-row.tsx';
import { FormActions } from './form-actions.tsx';

type NameRowProps = {
  name: string | null;
  onAccount: (account: AccountResponse) => void;
  /** Something may have changed that was not answered. */
  onStale: () => void;
};

/** The name by which the learner is greeted, on the screen and in mails. */
export function NameRow({ name, onAccount, onStale }: NameRowProps) {
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
  const [isMissing, setIsMissing] = useState(false);
  const mutation = useMutation({
    mutationFn: async (display_name: string) => {
      const account = await changeProfile({ display_name });
      // The greeting takes it from the identity provider. It is right after the next sign-in anyway.
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

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['display_name']);
    // As in the registration.
    setIsMissing(missing.length > 0);
    if (missing.length === 0) mutation.mutate(values.display_name);
  }

  return (
    <form noValidate onSubmit={submit}>
      <Textfield
        label={t('profile.name.new')}
        description={t('profile.name.hint')}
        name="display_name"
        autoComplete="name"
        maxLength={MAX_NAME_LENGTH}
        defaultValue={name ?? ''}
        error={isMissing && t('translation:fields.missing')}
      />
      <FormAlert>
        {mutation.error && (savedHere ? t('profile.name.only_here') : errorText(mutation.error))}
      </FormAlert>
      <FormActions submit={t('profile.save')} busy={mutation.isPending} onCancel={onClose} />
    </form>
  );
}
