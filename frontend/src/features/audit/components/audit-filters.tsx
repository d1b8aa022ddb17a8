import { Field, Label, Select } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import type { AuditFilter } from '../api.ts';
import { useActionText } from '../use-action-text.ts';
import styles from './audit-screen.module.css';

type AuditFiltersProps = {
  filter: AuditFilter;
  /** What there is to choose from. */
  actions: string[];
  actors: string[];
  onChange: (filter: AuditFilter) => void;
};

export function AuditFilters({ filter, actions, actors, onChange }: AuditFiltersProps) {
  const { t } = useTranslation('admin');
  const actionText = useActionText();
  return (
    <search className={styles.filters} aria-label={t('audit.filter')}>
      <Field>
        <Label>{t('audit.filter_action')}</Label>
        <Select
          value={filter.action ?? ''}
          onChange={(event) => onChange({ ...filter, action: event.currentTarget.value })}
        >
          <Select.Option value="">{t('audit.all_actions')}</Select.Option>
          {withChosen(actions, filter.action).map((action) => (
            <Select.Option key={action} value={action}>
              {actionText(action, '…')}
            </Select.Option>
          ))}
        </Select>
      </Field>
      <Field>
        <Label>{t('audit.filter_actor')}</Label>
        <Select
          value={filter.actor ?? ''}
          onChange={(event) => onChange({ ...filter, actor: event.currentTarget.value })}
        >
          <Select.Option value="">{t('audit.all_actors')}</Select.Option>
          {withChosen(actors, filter.actor).map((actor) => (
            <Select.Option key={actor} value={actor}>
              {actor}
            </Select.Option>
          ))}
        </Select>
      </Field>
    </search>
  );
}

/** The address may name what the list does not have (yet): the field says it all the same. */
function withChosen(values: string[], chosen: string | undefined): string[] {
  return chosen === undefined || values.includes(chosen) ? values : [chosen, ...values];
}
