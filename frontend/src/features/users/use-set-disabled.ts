import type { User } from '@proveklar/contract/users.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { useErrorText } from '#lib/error-text.ts';
import { setDisabled, usersKeys } from './api.ts';

type Change = {
  user: User;
  disabled: boolean;
  /** Why the user is kept out, in the mail to them; empty for none. */
  reason?: string;
};

/** Disables or enables a user, says so, and offers to take it back. */
export function useSetDisabled() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: ({ user, disabled, reason }: Change) => setDisabled(user.uid, disabled, reason),
    onSuccess: (_, { user, disabled }) => {
      const email = user.email || user.uid;
      notify(t(disabled ? 'users.disabled_notice' : 'users.enabled_notice', { email }), {
        label: t('shell.undo'),
        onUndo: () => change.mutate({ user, disabled: !disabled }),
      });
    },
    onError: (error) => notify(t('users.failed.update', { reason: errorText(error) })),
    // Also after a failure: what the list says may no longer be true.
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKeys.all }),
  });
  return change;
}
