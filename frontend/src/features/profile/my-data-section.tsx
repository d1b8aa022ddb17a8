import { Alert, Button, Checkbox } from '@digdir/designsystemet-react';
import { DownloadIcon } from '@navikt/aksel-icons';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { Form, useFormError } from '#components/form.tsx';
import { FormCard } from '#components/layout.tsx';
import { PasswordField } from '#components/password-field.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { readFields } from '#lib/form-values.ts';
import { saveFile } from '#lib/save-file.ts';
import { identity } from '#lib/session.ts';
import { deleteAccount, getExport } from './api.ts';
import { identityErrorText, isIdentityError } from './identity-call.ts';
import styles from './profile.module.css';

type MyDataSectionProps = Omit<DeleteDialogProps, 'open' | 'onClose'>;

/** The learner's data: to download, or to delete. */
export function MyDataSection(props: MyDataSectionProps) {
  const { t } = useTranslation('learner');
  const errorText = useErrorText();
  const [deleting, setDeleting] = useState(false);
  const download = useMutation({
    mutationFn: getExport,
    onSuccess: (file) => {
      saveFile(file, `proveklar-${new Date().toISOString().slice(0, 10)}.json`);
    },
  });

  return (
    <>
      <FormCard>
        <div className={styles.parts}>
          <h2>{t('profile.data.title')}</h2>
          <div className={styles.part}>
            <h3>{t('profile.data.download_title')}</h3>
            <p>{t('profile.data.download_text')}</p>
            {download.error && (
              <RetryAlert busy={download.isPending} onRetry={() => download.mutate()}>
                {t('profile.data.failed', { message: errorText(download.error) })}
              </RetryAlert>
            )}
            {!download.error && (
              <BusyButton
                variant="secondary"
                busy={download.isPending}
                onClick={() => download.mutate()}
              >
                {!download.isPending && <DownloadIcon aria-hidden />}
                {t(download.isPending ? 'profile.data.downloading' : 'profile.data.download')}
              </BusyButton>
            )}
            <div role="status">
              {download.isSuccess && (
                <Alert data-color="success" data-size="sm">
                  {t('profile.data.downloaded')}
                </Alert>
              )}
            </div>
          </div>
          <div className={styles.part}>
            <h3>{t('profile.delete.title')}</h3>
            <p>{t('profile.delete.intro')}</p>
            <Button variant="secondary" data-color="danger" onClick={() => setDeleting(true)}>
              {t('profile.delete.begin')}
            </Button>
          </div>
        </div>
      </FormCard>
      {/* Not inside: a card's forms have a button as wide as the card. */}
      <DeleteDialog {...props} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

type DeleteDialogProps = {
  open: boolean;
  hasPassword: boolean;
  /** Days of access that would be lost. */
  daysLeft: number;
  /** The id of a purchase that can still be withdrawn from, if any. */
  withdrawable: string | undefined;
  onClose: () => void;
  onDeleted: () => void;
};

const GONE = ['identity', 'quizzes', 'reports'] as const;

/** Explains what a deletion removes and what stays, and asks for a confirmation. */
function DeleteDialog(props: DeleteDialogProps) {
  const { open, hasPassword, daysLeft, withdrawable, onClose, onDeleted } = props;
  const { t } = useTranslation('learner');
  return (
    <AppDialog open={open} onClose={onClose} title={t('profile.delete.confirm_title')}>
      <div className={styles.what}>
        <p>{t('profile.delete.gone')}</p>
        <ul>
          {GONE.map((what) => (
            <li key={what}>{t(`profile.delete.gone_${what}`)}</li>
          ))}
        </ul>
        <p>{t('profile.delete.stays')}</p>
      </div>
      {daysLeft > 0 && (
        <Alert data-color="warning" data-size="sm">
          <p>{t('profile.delete.days_lost', { count: daysLeft })}</p>
          {withdrawable !== undefined && (
            <p>
              <Link to="/quiz/receipts/$id" params={{ id: withdrawable }} className="ds-link">
                {t('profile.delete.withdraw_first')}
              </Link>
            </p>
          )}
        </Alert>
      )}
      <DeleteForm hasPassword={hasPassword} onClose={onClose} onDeleted={onDeleted} />
    </AppDialog>
  );
}

type DeleteFormProps = { hasPassword: boolean; onClose: () => void; onDeleted: () => void };

/** Asks for the password and a confirmation. The same button resumes an incomplete deletion. */
function DeleteForm({ hasPassword, onClose, onDeleted }: DeleteFormProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const [said, say] = useFormError();
  const [wrong, setWrong] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  // After an incomplete deletion the user may be gone, and cannot be confirmed again.
  const confirmed = useRef(false);

  async function confirm(password: string) {
    if (confirmed.current) return;
    const changes = await (await identity()).changes();
    await (hasPassword ? changes.confirmPassword(password) : changes.confirmGoogle());
    confirmed.current = true;
  }

  function textOf(error: unknown): string {
    if (isIdentityError(error)) return t(`profile.error.${identityErrorText(error)}`);
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    return refused ? errorText(error) : t('profile.delete.interrupted');
  }

  async function submit(form: HTMLFormElement) {
    const { values, missing } = readFields(form, hasPassword ? ['password'] : []);
    const sure = new FormData(form).has('sure');
    const faults = [...(confirmed.current ? [] : missing), ...(sure ? [] : ['sure'])];
    setWrong(faults);
    say(
      [
        faults.includes('password') && t('profile.delete.password_missing'),
        faults.includes('sure') && t('profile.delete.unsure'),
      ]
        .filter(Boolean)
        .join(' '),
    );
    if (faults.length > 0) return;
    setBusy(true);
    try {
      await confirm((values as { password?: string }).password ?? '');
      await deleteAccount();
      onDeleted();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'recent_sign_in_required') {
        confirmed.current = false;
      }
      say(textOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form
      busy={busy}
      {...said}
      submit={t('profile.delete.submit')}
      button={{ 'data-color': 'danger' }}
      onSubmit={(form) => void submit(form)}
      onCancel={onClose}
      cancel={{ 'data-color': 'neutral' }}
    >
      {hasPassword ? (
        <PasswordField
          autoComplete="current-password"
          label={t('profile.delete.password')}
          invalid={wrong.includes('password')}
        />
      ) : (
        <p>{t('profile.delete.google')}</p>
      )}
      <Checkbox
        name="sure"
        value="yes"
        label={t('profile.delete.sure')}
        aria-invalid={wrong.includes('sure') || undefined}
      />
    </Form>
  );
}
