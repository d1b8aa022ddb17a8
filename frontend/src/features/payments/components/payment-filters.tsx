import type { PaymentStatus, PaymentSummary } from '@proveklar/contract/admin-payments.ts';
import { Checkbox, Field, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '#lib/format-compact.ts';
import { type PaymentsSearch, readPaymentsSearch, STATUSES } from '../search.ts';
import styles from './payments.module.css';

/** In milliseconds: nobody's list is fetched for every letter. */
const PAUSE = 300;

type PaymentFiltersProps = {
  search: PaymentsSearch;
  counts: PaymentSummary['counts'] | undefined;
  onSearch: (search: PaymentsSearch) => void;
};

/** Which payments are shown. */
export function PaymentFilters({ search, counts, onSearch }: PaymentFiltersProps) {
  const { t, i18n } = useTranslation('admin');
  const text = (status: PaymentStatus) =>
    counts
      ? `${t(`payments.status.${status}`)} (${formatCount(counts[status], i18n.language)})`
      : t(`payments.status.${status}`);
  return (
    <search className={styles.filters} aria-label={t('payments.filter')}>
      <SearchField
        asked={search.search ?? ''}
        onSearch={(wanted) => onSearch(readPaymentsSearch({ ...search, search: wanted }))}
      />
      <Field>
        <Label>{t('payments.filter_status')}</Label>
        <Select
          value={search.status ?? ''}
          onChange={(event) =>
            onSearch(readPaymentsSearch({ ...search, status: event.currentTarget.value }))
          }
        >
          <Select.Option value="">{t('payments.all_statuses')}</Select.Option>
          {STATUSES.map((status) => (
            <Select.Option key={status} value={status}>
              {text(status)}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Checkbox
        className={styles.check}
        label={t('payments.only_attention')}
        checked={search.attention ?? false}
        onChange={(event) =>
          onSearch(readPaymentsSearch({ ...search, attention: event.currentTarget.checked }))
        }
      />
    </search>
  );
}

function SearchField({ asked, onSearch }: { asked: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation('admin');
  const [typed, setTyped] = useState(asked);
  // What the address had when last seen, and what this field last asked for.
  const [last, setLast] = useState({ seen: asked, wanted: asked });
  if (asked !== last.seen) {
    // Changed from elsewhere, such as by the button that shows all; else somebody may be typing on.
    if (asked !== last.wanted) setTyped(asked);
    setLast({ seen: asked, wanted: asked });
  }
  const wanted = typed.trim();
  useEffect(() => {
    const pause = setTimeout(() => {
      if (wanted === asked) return;
      setLast(({ seen }) => ({ seen, wanted }));
      onSearch(wanted);
    }, PAUSE);
    return () => clearTimeout(pause);
  }, [wanted, asked, onSearch]);
  return (
    <Textfield
      type="search"
      label={t('payments.search')}
      description={t('payments.search_what')}
      autoComplete="off"
      maxLength={255}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
