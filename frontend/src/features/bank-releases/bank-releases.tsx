import { Alert } from '@digdir/designsystemet-react';
import type {
  BankRelease,
  BankReleasePlan,
  BankReleaseWork,
  ReleaseAction,
  ReleasedField,
} from '@proveklar/contract/bank-releases.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState, StatTiles } from '#components/admin/admin-screen.tsx';
import { confirmAction } from '#components/admin/confirm-action.tsx';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { Stack } from '#components/layout.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { languageInWords, textIn } from '#lib/question-language.ts';
import { applyRelease, planQuery, releaseKeys, releasesQuery, undoRelease } from './api.ts';
import styles from './bank-releases.module.css';

const ACTIONS = ['added', 'updated', 'retired'] as const satisfies readonly ReleaseAction[];

/** What the release of our bank in this version changes, applying it, and the earlier releases with their undo. */
export function BankReleasesScreen() {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const plan = useQuery(planQuery);
  const releases = useQuery(releasesQuery);
  const work = releases.data?.work;
  useAnnouncedWork(work);
  const isRunning = work?.state === 'running';
  return (
    <AdminScreen
      title={t('bank_release.title')}
      lead={t('bank_release.lead')}
      actions={
        <ButtonLink to="/admin/dashboard/questions" variant="secondary">
          {t('bank_release.back')}
        </ButtonLink>
      }
    >
      <Stack gap={6}>
        <div role="status">
          {isRunning && (
            <Alert data-color="info" data-size="sm">
              {t(`bank_release.running.${work.action}`)}
            </Alert>
          )}
        </div>
        {work?.failure && (
          <Alert data-color="danger" data-size="sm" role="alert">
            {t(`bank_release.failure.${work.failure}`)}
          </Alert>
        )}
        {plan.isError && (
          <RetryAlert busy={plan.isFetching} onRetry={() => void plan.refetch()}>
            {t('bank_release.failed_plan', { reason: errorText(plan.error) })}
          </RetryAlert>
        )}
        {plan.isPending && <SkeletonLines label={t('bank_release.loading')} lines={8} />}
        {plan.data && <Plan plan={plan.data} busy={isRunning || plan.isFetching} />}
        <section className={styles.section} aria-labelledby="releases-title">
          <h2 id="releases-title">{t('bank_release.releases')}</h2>
          {releases.isError && (
            <RetryAlert busy={releases.isFetching} onRetry={() => void releases.refetch()}>
              {t('bank_release.failed_releases', { reason: errorText(releases.error) })}
            </RetryAlert>
          )}
          {releases.isPending && (
            <SkeletonLines label={t('bank_release.loading_releases')} lines={3} />
          )}
          {releases.data?.releases.length === 0 && (
            <p className="muted">{t('bank_release.none')}</p>
          )}
          {releases.data && releases.data.releases.length > 0 && (
            <Releases releases={releases.data.releases} busy={isRunning} />
          )}
        </section>
      </Stack>
    </AdminScreen>
  );
}

/**
 * Follows the last work, `undefined` until it is known; when one ends while this page is open, compares again and says
 * so. It may have ended before the page saw it run.
 */
function useAnnouncedWork(work: BankReleaseWork | null | undefined): void {
  const { t } = useTranslation('admin');
  const queryClient = useQueryClient();
  const ended = useRef<string | null>(undefined);
  useEffect(() => {
    if (work === undefined) return;
    const last = work?.state === 'running' ? ended.current : work?.id;
    if (ended.current !== undefined && work && last && last !== ended.current) {
      if (work.state === 'completed') notify(t(`bank_release.done.${work.action}`));
      void queryClient.invalidateQueries({ queryKey: releaseKeys.plan() });
      void refreshQuestions(queryClient);
    }
    ended.current = last ?? null;
  }, [work, queryClient, t]);
}

function Plan({ plan, busy }: { plan: BankReleasePlan; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const queryClient = useQueryClient();
  const number = (n: number) => formatCount(n, i18n.language);
  const { added, updated, retired, unchanged, kept, languages } = plan;
  const changedFields = useChangedFields();
  const isUpToDate = added + updated + retired === 0;
  const inWords = (words: string[]) =>
    new Intl.ListFormat(i18n.language === 'en' ? 'en' : 'nb').format(words);
  const notOffered = languages.filter(({ offered }) => !offered);

  function askToApply() {
    confirmAction({
      title: t('bank_release.apply_title'),
      body: (
        <>
          <p>
            {t('bank_release.apply_text', {
              added: number(added),
              updated: number(updated),
              retired: number(retired),
            })}
          </p>
          <p>{t('bank_release.apply_keeps')}</p>
        </>
      ),
      action: t('bank_release.apply'),
      tone: 'primary',
      run: () => applyRelease(plan.release),
      onDone: () => queryClient.invalidateQueries({ queryKey: releaseKeys.list() }),
      describeError: (reason) => t('bank_release.failed_apply', { reason }),
    });
  }

  return (
    <section className={styles.section} aria-labelledby="changes-title">
      <h2 id="changes-title">{t('bank_release.changes')}</h2>
      <p>
        {t('bank_release.has', {
          languages: inWords(
            languages.map(({ language, questions }) =>
              t('bank_release.of_language', {
                count: questions,
                n: number(questions),
                language: languageInWords(language, i18n.language),
              }),
            ),
          ),
        })}
      </p>
      {notOffered.length > 0 && (
        <p>
          {t('bank_release.not_offered', {
            languages: inWords(
              notOffered.map(({ language }) => languageInWords(language, i18n.language)),
            ),
          })}
        </p>
      )}
      <StatTiles
        tiles={Object.entries({ added, updated, retired, unchanged, kept: kept.length }).map(
          ([name, count]) => ({
            label: t(`bank_release.count.${name as 'added'}`),
            value: number(count),
          }),
        )}
      />
      {isUpToDate ? (
        <EmptyState title={t('bank_release.up_to_date')}>
          <p>{t('bank_release.up_to_date_text')}</p>
        </EmptyState>
      ) : (
        <div>
          <BusyButton busy={busy} onClick={askToApply}>
            {t('bank_release.apply')}
          </BusyButton>
        </div>
      )}
      <div className={styles.lists}>
        {ACTIONS.filter((action) => plan[action] > 0).map((action) => {
          const listed = plan.changes.filter((change) => change.action === action);
          return (
            <details key={action}>
              <summary>{t(`bank_release.list.${action}`, { n: number(plan[action]) })}</summary>
              {listed.length < plan[action] && (
                <p>{t('bank_release.only_first', { n: number(listed.length) })}</p>
              )}
              <Questions questions={listed} describe={({ fields }) => changedFields(fields)} />
            </details>
          );
        })}
        {kept.length > 0 && (
          <details open>
            <summary>{t('bank_release.kept', { n: number(kept.length) })}</summary>
            <p>{t('bank_release.kept_text')}</p>
            <Questions
              questions={kept}
              describe={({ reason }) => t(`bank_release.reason.${reason}`)}
            />
          </details>
        )}
      </div>
    </section>
  );
}

type Listed = Pick<
  BankReleasePlan['kept'][number],
  'group' | 'language' | 'question' | 'question_id'
>;

type QuestionsProps<Q extends Listed> = {
  questions: readonly Q[];
  /** What is said of each, below its text. */
  describe: (question: Q) => string;
};

function Questions<Q extends Listed>({ questions, describe }: QuestionsProps<Q>) {
  const { i18n } = useTranslation();
  return (
    <ul className={styles.questions}>
      {questions.map((question) => {
        const { group, language, question: text, question_id: id } = question;
        return (
          <li key={`${group} ${language}`}>
            {id === null ? (
              <span {...textIn(language)}>{text}</span>
            ) : (
              <Link
                to="/admin/dashboard/questions/$id"
                params={{ id: String(id) }}
                className="ds-link"
                {...textIn(language)}
              >
                {text}
              </Link>
            )}
            <div className="muted">
              {group} · {languageInWords(language, i18n.language)}
            </div>
            <div className="muted">{describe(question)}</div>
          </li>
        );
      })}
    </ul>
  );
}

/** The names of the fields that an update changes, as a sentence; empty for other changes. */
function useChangedFields() {
  const { t } = useTranslation('admin');
  return (fields: ReleasedField[]): string => {
    if (fields.length === 0) return '';
    const names = fields.map((field) =>
      field === 'incorrect_reasons' || field === 'areas'
        ? t(`bank_release.field.${field}`)
        : t(`questions.field.${field}`),
    );
    return t('bank_release.changed_fields', { fields: names.join(', ') });
  };
}

function Releases({ releases, busy }: { releases: readonly BankRelease[]; busy: boolean }) {
  const { t, i18n } = useTranslation('admin');
  const queryClient = useQueryClient();
  const number = (n: number) => formatCount(n, i18n.language);
  const time = (iso: string) => formatShortDateTime(iso, i18n.language);
  // The ones before are based on other questions.
  const latest = releases.find(({ undone_at }) => undone_at === null)?.id;

  function askToUndo({ id, added }: BankRelease) {
    confirmAction({
      title: t('bank_release.undo_title'),
      body: (
        <>
          <p>{t('bank_release.undo_text')}</p>
          {added > 0 && <p>{t('bank_release.undo_new', { count: added, n: number(added) })}</p>}
        </>
      ),
      action: t('bank_release.undo'),
      run: () => undoRelease(id),
      onDone: () => queryClient.invalidateQueries({ queryKey: releaseKeys.list() }),
      describeError: (reason) => t('bank_release.failed_undo', { reason }),
    });
  }

  const columns: Column<BankRelease>[] = [
    {
      key: 'when',
      header: t('bank_release.column.when'),
      primary: true,
      render: ({ applied_at }) => <time dateTime={applied_at}>{time(applied_at)}</time>,
    },
    {
      key: 'who',
      header: t('bank_release.column.who'),
      render: ({ applied_by }) => applied_by,
    },
    ...ACTIONS.map((action): Column<BankRelease> => ({
      key: action,
      header: t(`bank_release.column.${action}`),
      align: 'end',
      render: (release) => number(release[action]),
    })),
    {
      key: 'undo',
      header: t('bank_release.column.undo'),
      bare: true,
      render: (release) => {
        const { id, applied_at, undone_at } = release;
        if (undone_at) return t('bank_release.undone', { time: time(undone_at) });
        return (
          id === latest && (
            <BusyButton
              variant="tertiary"
              data-size="sm"
              busy={busy}
              aria-label={t('bank_release.undo_which', { time: time(applied_at) })}
              onClick={() => askToUndo(release)}
            >
              {t('bank_release.undo')}
            </BusyButton>
          )
        );
      },
    },
  ];
  return (
    <DataTable
      caption={t('bank_release.releases')}
      columns={columns}
      rows={releases}
      rowKey={({ id }) => id}
    />
  );
}
