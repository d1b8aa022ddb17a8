import { Button, Textfield } from '@digdir/designsystemet-react';
import type { SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { readFields } from '#lib/read-fields.ts';

type EmulatedGoogleDialogProps = {
  open: boolean;
  onClose: () => void;
  onEmail: (email: string) => void;
};

/** Stands in for Google's account chooser where the identity emulator runs. */
export function EmulatedGoogleDialog({ open, onClose, onEmail }: EmulatedGoogleDialogProps) {
  const { t } = useTranslation();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { values, missing } = readFields(event.currentTarget, ['google_email']);
    if (missing.length === 0) onEmail(values.google_email);
  }

  return (
    <AppDialog open={open} onClose={onClose} title={t('auth.emulated_google_title')}>
      <p>{t('auth.emulated_google_text')}</p>
      <form onSubmit={submit}>
        <Textfield label={t('fields.email')} name="google_email" type="email" required />
        <Button type="submit">{t('auth.emulated_google_continue')}</Button>
      </form>
    </AppDialog>
  );
}
