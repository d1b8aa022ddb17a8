import type { BankLanguage } from '@proveklar/contract/settings.ts';
import { Switch } from '@digdir/designsystemet-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { configQuery } from '#lib/config.ts';
import { useStatusText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { QUESTIONS } from '#lib/question-areas.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import { languagesQuery, offerLanguage, settingsKeys } from './api.ts';
import styles from './settings.module.css';

/** The default language of a quiz. */
const ALWAYS_OFFERED = 'no';

/** The languages of the questions. Languages without a validated question are collapsed. */
export function Languages() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(languagesQuery);
  const languages = found.data?.languages ?? [];
  const hasQuestions = ({ offered, validated }: BankLanguage) => offered || validated > 0;
  const others = languages.filter((language) => !hasQuestions(language));
  return (
    <section className={styles.section} aria-labelledby="languages-title">
      <div className={styles.head}>
        <h2 id="languages-title">{t('settings.languages.title')}</h2>
        <p>{t('settings.languages.text')}</p>
      </div>
      {found.isPending && <SkeletonLines label={t('settings.languages.loading')} lines={3} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('settings.languages.failed_fetch', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {languages.length > 0 && <LanguageTable languages={languages.filter(hasQuestions)} />}
      {others.length > 0 && (
        <details className={styles.others}>
          <summary>{t('settings.languages.others', { count: others.length })}</summary>
          <LanguageTable languages={others} />
        </details>
      )}
    </section>
  );
}

function LanguageTable({ languages }: { languages: BankLanguage[] }) {
  const { t, i18n } = useTranslation('admin');
  const offer = useOffering();
  const nameOf = ({ code }: BankLanguage) => languageName(code, i18n.language);
  const columns: Column<BankLanguage>[] = [
    {
      key: 'name',
      header: t('settings.languages.language'),
      primary: true,
      render: (language) => (
        <>
          {nameOf(language)}{' '}
          <span className="muted">
            · <span {...textIn(language.code)}>{language.name}</span> · {language.code}
          </span>
        </>
      ),
    },
    {
      key: 'validated',
      header: t('settings.languages.validated'),
      align: 'end',
      render: ({ validated }) => formatCount(validated, i18n.language),
    },
    {
      key: 'fallback',
      header: t('settings.languages.fallback'),
      render: ({ fallback }) => (fallback ? languageName(fallback, i18n.language) : '–'),
    },
    {
      key: 'offered',
      header: t('settings.languages.offered'),
      render: (language) => (
        <Switch
          data-size="sm"
          aria-label={t('settings.languages.offer_which', { name: nameOf(language) })}
          checked={language.offered}
          readOnly={language.code === ALWAYS_OFFERED}
          // It changes only after the confirmation.
          onChange={() => language.code !== ALWAYS_OFFERED && offer(language)}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption={t('settings.languages.title')}
      columns={columns}
      rows={languages}
      rowKey={({ code }) => code}
    />
  );
}

/** Offers or withdraws a language, after a confirmation. */
function useOffering() {
  const { t, i18n } = useTranslation('admin');
  const queryClient = useQueryClient();
  return ({ code, offered, validated }: BankLanguage) => {
    const name = languageName(code, i18n.language);
    const counted = { count: validated, number: formatCount(validated, i18n.language) };
    const text =
      validated > 0
        ? t('settings.languages.offer.text', counted)
        : t('settings.languages.offer.none');
    confirmAction({
      title: t(`settings.languages.${offered ? 'withdraw' : 'offer'}.title`, { name }),
      body: <p>{offered ? t('settings.languages.withdraw.text') : text}</p>,
      action: t(`settings.languages.${offered ? 'withdraw' : 'offer'}.action`),
      tone: offered ? 'danger' : 'primary',
      run: () => offerLanguage(code, !offered),
      onDone: (languages) => {
        queryClient.setQueryData(settingsKeys.languages, languages);
        notify(
          t(offered ? 'settings.languages.withdrawn' : 'settings.languages.is_offered', { name }),
        );
        return Promise.all([
          queryClient.invalidateQueries({ queryKey: configQuery.queryKey }),
          queryClient.invalidateQueries({ queryKey: QUESTIONS }),
        ]);
      },
      describeError: (reason) => t('settings.languages.failed_update', { reason }),
    });
  };
}
