import { Button, Tag } from '@digdir/designsystemet-react';
import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '#components/admin/admin-screen.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { formatCount } from '#lib/format-compact.ts';
import { reportCountQuery } from './api.ts';
import styles from './feedback.module.css';
import type { FeedbackSearch } from './search.ts';

type ListHeadProps = {
  /** The size of the list, as text. */
  amount: string;
  /** The number of reports when the list was read. */
  then: number;
  /** The list is empty, so that new reports can be shown at once. */
  empty: boolean;
  busy: boolean;
  onShow: () => void;
};

/** The line above a list: its size, and a button that shows new reports. */
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

type NoFeedbackProps = {
  /** There are no reports at all. */
  none: boolean;
  /** No filter is set. */
  all: boolean;
  onAll: () => void;
};

export function NoFeedback({ none, all, onAll }: NoFeedbackProps) {
  const { t } = useTranslation('admin');
  if (none) {
    return (
      <EmptyState title={t('feedback.none')}>
        <p>{t('feedback.none_text')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('feedback.none_here')}>
      {!all && (
        <Button variant="secondary" onClick={onAll}>
          {t('feedback.show_all')}
        </Button>
      )}
    </EmptyState>
  );
}

const COLOURS = { open: 'warning', fixed: 'success', dismissed: 'neutral' } as const;

export function StateTag({ state }: Pick<ReportedQuestion, 'state'>) {
  const { t } = useTranslation('admin');
  return (
    <Tag data-color={COLOURS[state]} data-size="sm">
      {t(`feedback.state.${state}`)}
    </Tag>
  );
}

/** The text of a report's reason, as the learner chose it. */
export function useReasonText() {
  const { t } = useTranslation('admin');
  return (reason: keyof ReportedQuestion['reasons']): string =>
    reason === 'none' ? t('feedback.no_reason') : t(`feedback.reason_names.${reason}`);
}

/** The props of each view: the search, and a function that changes it. */
export type FeedbackViewProps = {
  search: FeedbackSearch;
  onSearch: (search: FeedbackSearch) => void;
};
