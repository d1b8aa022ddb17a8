import { Field, Label, Select, ToggleGroup } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { readFeedbackSearch } from '../search.ts';
import type { FeedbackViewProps } from '../view-props.ts';
import styles from './feedback.module.css';

const QUESTION_STATES = ['open', 'closed', 'all'] as const;
const REPORT_STATES = ['all', 'open', 'fixed', 'dismissed'] as const;

/** How the reports are shown, which of them, and in what order. */
export function FeedbackFilters({ search, onSearch }: FeedbackViewProps) {
  const { t } = useTranslation('admin');
  const single = search.view !== 'questions';
  const states = single ? REPORT_STATES : QUESTION_STATES;
  const { page: _page, ...kept } = search;
  return (
    <search className={styles.filters} aria-label={t('feedback.filter')}>
      <ToggleGroup
        className={styles.views}
        value={single ? 'reports' : 'questions'}
        onChange={(view) => onSearch(readFeedbackSearch({ view }))}
        data-toggle-group={t('feedback.view')}
      >
        <ToggleGroup.Item value="reports">{t('feedback.one_by_one')}</ToggleGroup.Item>
        <ToggleGroup.Item value="questions">{t('feedback.by_question')}</ToggleGroup.Item>
      </ToggleGroup>
      <Field>
        <Label>{t('feedback.status')}</Label>
        <Select
          value={search.state ?? (single ? 'all' : 'open')}
          onChange={(event) =>
            onSearch(readFeedbackSearch({ ...kept, state: event.currentTarget.value }))
          }
        >
          {states.map((state) => (
            <Select.Option key={state} value={state}>
              {t(`feedback.filter_state.${state}`)}
            </Select.Option>
          ))}
        </Select>
      </Field>
      {!single && (
        <Field>
          <Label>{t('feedback.sort')}</Label>
          <Select
            value={search.sort ?? 'newest'}
            onChange={(event) =>
              onSearch(readFeedbackSearch({ ...kept, sort: event.currentTarget.value }))
            }
          >
            <Select.Option value="newest">{t('feedback.sort_newest')}</Select.Option>
            <Select.Option value="reports">{t('feedback.sort_reports')}</Select.Option>
          </Select>
        </Field>
      )}
    </search>
  );
}
