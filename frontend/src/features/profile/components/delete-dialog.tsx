import { Alert } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import styles from './delete-dialog.module.css';
import { DeleteForm } from './delete-form.tsx';

export type DeleteDialogProps = {
  open: boolean;
  hasPassword: boolean;
  /** Days of access that would be lost. */
  daysLeft: number;
  /** The payment of a purchase that can still be withdrawn from, if any. */
  withdrawable: string | undefined;
  onClose: () => void;
  onDeleted: () => void;
};

const GONE = ['identity', 'quizzes', 'reports'] as const;

/** Says what a deletion takes and what stays, and asks for it in earnest. */
export function DeleteDialog(props: DeleteDialogProps) {
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
