import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { formatCount } from '#lib/format-compact.ts';
import { reportCountQuery } from '../api.ts';
import styles from './feedback.module.css';

type ListHeadProps = {
  /** How much the list holds, in words. */
  amount: string;
  /** How many reports there were when the list was read. */
  then: number;
  /** Nothing is shown that could move: what is new is shown at once. */
  empty: boolean;
  busy: boolean;
  onShow: () => void;
};

/** The line above a list: how much there is, and the button that brings in what has come since. */
export function ListHead({ amount, then, empty, busy, onShow }: ListHeadProps) {
  const { t, i18n } = useTranslation('admin');
  const { data: now = then } = useQuery(reportCountQuery);
  const count = Math.max(0, now - then);
  const comes = empty && count > 0 && !busy;
  useEffect(() => {
    if (comes) onShow();
  }, [comes, onShow]);
  return (
    <div className={styles.head}>
      <p className="muted">{amount}</p>
      <div role="status">
        {count > 0 && (
          <BusyButton variant="secondary" data-size="sm" busy={busy} onClick={onShow}>
            {t('feedback.new', { count, number: formatCount(count, i18n.language) })}
          </BusyButton>
        )}
      </div>
    </div>
  );
}
