import { Button, Textfield } from '@digdir/designsystemet-react';
import { MAX_NOTE_LENGTH, MAX_SERVICE_DAYS } from '@proveklar/contract/limits.ts';
import type { User } from '@proveklar/contract/users.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { Form } from '#components/form.tsx';
import { Stack } from '#components/layout.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { randomUuid } from '#lib/random-uuid.ts';
import { grantAudienceQuery, grantDays, usersKeys } from './api.ts';

/** Grants days to all active users, such as after an outage. */
export function GrantAllButton() {
  const { t } = useTranslation('admin');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('users.grant.all')}
      </Button>
      <GrantDaysDialog to={open ? 'active' : undefined} onClose={() => setOpen(false)} />
    </>
  );
}

type GrantDaysDialogProps = {
  /** One user, or all active users; undefined closes the dialog. */
  to: User | 'active' | undefined;
  onClose: () => void;
};

/** Grants days of service after a confirmation, because they cannot be taken back. */
export function GrantDaysDialog({ to, onClose }: GrantDaysDialogProps) {
  const { t } = useTranslation('admin');
  return (
    <AppDialog
      open={to !== undefined}
      onClose={onClose}
      title={t(to === 'active' ? 'users.grant.title_all' : 'users.grant.title')}
    >
      {to && <GrantDaysForm to={to} onClose={onClose} />}
    </AppDialog>
  );
}

function GrantDaysForm({ to, onClose }: { to: User | 'active'; onClose: () => void }) {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [days, setDays] = useState('');
  const [note, setNote] = useState('');
  const [asking, setAsking] = useState(false);
  const [wrong, setWrong] = useState<{ days?: string; note?: string }>({});
  // One key each time the dialog is opened: two clicks, or a retry after a lost answer, make one grant.
  const [key] = useState(randomUuid);
  const audience = useQuery({ ...grantAudienceQuery, enabled: to === 'active' });
  const order = useMutation({
    mutationFn: grantDays,
    onSuccess: (grant) => {
      const number = formatCount(grant.accounts, i18n.language);
      const text = t('users.grant.days', { count: grant.days });
      notify(
        to === 'active'
          ? t('users.grant.given_all', { days: text, count: grant.accounts, number })
          : t('users.grant.given', { days: text, email: to.email || to.uid }),
      );
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: usersKeys.all }),
  });

  const number = /^\d{1,4}$/.test(days.trim()) ? Number(days) : 0;

  function ask() {
    const faults = {
      ...((number < 1 || number > MAX_SERVICE_DAYS) && { days: t('users.grant.wrong_days') }),
      ...(!note.trim() && { note: t('users.grant.wrong_note') }),
    };
    setWrong(faults);
    setAsking(!faults.days && !faults.note);
  }

  function give() {
    const given = { days: number, note: note.trim() };
    order.mutate({
      key,
      body:
        to === 'active'
          ? { audience: 'active', ...given }
          : { audience: 'account', uid: to.uid, ...given },
    });
  }

  const count = audience.data?.accounts;
  if (asking) {
    const who =
      to === 'active'
        ? t('users.grant.users', {
            count: count ?? 0,
            number: formatCount(count ?? 0, i18n.language),
          })
        : to.email || to.uid;
    const given = { days: t('users.grant.days', { count: number }), who };
    return (
      <GrantDaysConfirm
        question={t('users.grant.sure', given)}
        action={t('users.grant.action', given)}
        busy={order.isPending}
        error={order.isError ? t('users.failed.grant', { reason: errorText(order.error) }) : ''}
        onConfirm={give}
        onBack={() => {
          order.reset();
          setAsking(false);
        }}
      />
    );
  }
  return (
    <Form
      submit={t('users.grant.next')}
      busy={false}
      resting={to === 'active' && count === undefined}
      faults={wrong}
      onCancel={onClose}
      onSubmit={ask}
    >
      {to === 'active' ? (
        <p role="status">
          {audience.isError && t('users.grant.failed_count')}
          {count === undefined
            ? !audience.isError && t('users.grant.counting')
            : t('users.grant.text_all', { count, number: formatCount(count, i18n.language) })}
        </p>
      ) : (
        <p>{t('users.grant.text', { email: to.email || to.uid })}</p>
      )}
      <Textfield
        label={t('users.grant.how_many')}
        inputMode="numeric"
        autoComplete="off"
        value={days}
        error={wrong.days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Textfield
        label={t('users.grant.note')}
        description={t('users.grant.note_what')}
        maxLength={MAX_NOTE_LENGTH}
        value={note}
        error={wrong.note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Form>
  );
}

type GrantDaysConfirmProps = {
  question: string;
  action: string;
  busy: boolean;
  error: string;
  onConfirm: () => void;
  onBack: () => void;
};

/** The second step: repeats the input for a confirmation. */
function GrantDaysConfirm(props: GrantDaysConfirmProps) {
  const { question, action, busy, error, onConfirm, onBack } = props;
  const { t } = useTranslation('admin');
  // The focused button has disappeared.
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <Stack gap={4}>
      <p ref={said} tabIndex={-1}>
        {question}
      </p>
      <FormAlert>{error}</FormAlert>
      <DialogActions>
        <BusyButton
          busy={busy}
          onClick={({ detail }) => {
            // Ignores the second click of a double click on the first step's button.
            if (detail < 2) onConfirm();
          }}
        >
          {action}
        </BusyButton>
        <Button type="button" variant="secondary" onClick={onBack}>
          {t('users.grant.back')}
        </Button>
      </DialogActions>
    </Stack>
  );
}
