import { Button, Checkbox } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Choice, TypedFilter, withChosen } from '#components/admin/filters.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { languageName } from '#lib/question-language.ts';
import { filtersQuery } from './api.ts';
import { type BankSearch, isFiltered, STATES, VALIDATIONS } from './bank-search.ts';
import styles from './questions.module.css';

type BankFiltersProps = {
  search: BankSearch;
  /** Changes these search parameters; undefined removes one. */
  onChange: (
    change: { [K in keyof BankSearch]: BankSearch[K] | undefined },
    typed?: boolean,
  ) => void;
  onClear: () => void;
};

const MAX_SELECTED = 2_147_483_647;
const number = (text: string) => (text === '' ? undefined : Number(text));

export function BankFilters({ search, onChange, onClear }: BankFiltersProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const known = useQuery(filtersQuery);
  const languageText = useLanguageText(known.data?.languages_not_offered);
  const { state, min_correct: minimum, max_selected: maximum, reported, import_id } = search;
  const isMoreSet = [state, minimum, maximum, reported, import_id].some(
    (value) => value !== undefined,
  );

  return (
    <search className={styles.filters} aria-label={t('questions.filters')}>
      <div className={styles.row}>
        <TypedFilter
          label={t('questions.filter.search')}
          value={search.search ?? ''}
          onChange={(text) => onChange({ search: text || undefined }, true)}
        />
        <Choice
          label={t('questions.filter.topic')}
          value={search.topic}
          all={t('questions.filter.all_topics')}
          options={withChosen(known.data?.topics ?? [], search.topic).map((topic) => [
            topic,
            topic,
          ])}
          onChange={(topic) => onChange({ topic })}
        />
        <Choice
          label={t('questions.filter.language')}
          value={search.language}
          all={t('questions.filter.all_languages')}
          options={withChosen(known.data?.languages ?? [], search.language).map((code) => [
            code,
            languageText(code),
          ])}
          onChange={(language) => onChange({ language })}
        />
        <Choice
          label={t('questions.filter.validation')}
          value={search.validation}
          all={t('questions.filter.any_validation')}
          options={VALIDATIONS.map((one) => [one, t(`questions.filter.${one}`)])}
          onChange={(validation) => onChange({ validation })}
        />
        {isFiltered(search) && (
          <Button variant="tertiary" data-size="sm" onClick={onClear}>
            {t('questions.filter.clear')}
          </Button>
        )}
      </div>
      {/* Open from the start where one of them is set: a filter that is not seen misleads. */}
      <details open={isMoreSet || undefined} className={styles.moreFilters}>
        <summary>{t('questions.filter.more')}</summary>
        <div className={styles.grid}>
          <Choice
            label={t('questions.filter.state')}
            value={state}
            all={t('questions.filter.active')}
            options={STATES.filter((one) => one !== 'active').map((one) => [
              one,
              t(`questions.filter.${one}`),
            ])}
            onChange={(chosen) => onChange({ state: chosen })}
          />
          <TypedFilter
            label={t('questions.filter.min_correct')}
            value={minimum === undefined ? '' : String(minimum)}
            min={0}
            max={100}
            fault={t('questions.filter.percent_fault')}
            onChange={(text) => onChange({ min_correct: number(text) }, true)}
          />
          <TypedFilter
            label={t('questions.filter.max_selected')}
            value={maximum === undefined ? '' : String(maximum)}
            min={0}
            max={MAX_SELECTED}
            fault={t('questions.filter.count_fault')}
            onChange={(text) => onChange({ max_selected: number(text) }, true)}
          />
          <div className={styles.last}>
            <Checkbox
              label={t('questions.filter.reported')}
              checked={reported === true}
              onChange={(event) => onChange({ reported: event.currentTarget.checked || undefined })}
            />
            {import_id !== undefined && (
              <Checkbox
                label={t('questions.filter.import')}
                checked
                onChange={() => onChange({ import_id: undefined })}
              />
            )}
          </div>
        </div>
      </details>
      {known.isError && (
        <RetryAlert busy={known.isFetching} onRetry={() => void known.refetch()}>
          {t('questions.failed.topics', { reason: errorText(known.error) })}
        </RetryAlert>
      )}
    </search>
  );
}

/** The label of a language, which says if it is not offered. */
function useLanguageText(notOffered: readonly string[] | undefined) {
  const { t, i18n } = useTranslation('admin');
  return (code: string) => {
    const name = languageName(code, i18n.language);
    return notOffered?.includes(code)
      ? t('questions.filter.not_offered', { language: name })
      : name;
  };
}
