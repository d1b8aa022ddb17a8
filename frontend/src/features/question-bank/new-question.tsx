import { Alert, Field, Label, Select } from '@digdir/designsystemet-react';
import { ArrowLeftIcon } from '@navikt/aksel-icons';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen, EmptyState } from '#components/admin/admin-screen.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useStatusText } from '#lib/error-text.ts';
import { languageName } from '#lib/question-language.ts';
import { useScreenSearch } from '#lib/use-screen-search.ts';
import { filtersQuery, questionQuery, siblingsQuery } from './api.ts';
import { lastSearch } from './bank-search.ts';
import { EMPTY_DRAFT, toDraft, toTranslation } from './draft.ts';
import { EditForm } from './edit-form.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { QuestionPreview } from './question-preview.tsx';
import { QuestionTexts } from './question-texts.tsx';
import styles from './question.module.css';
import { useNewQuestion } from './use-edit.ts';

/** The address of the page: a copy of a question, or a translation of one into a language. */
export type NewQuestionSearch = {
  copy?: number | undefined;
  translate?: number | undefined;
  language?: string | undefined;
};

/** Writing a question: a new one, a copy, or a translation beside its original. */
export function NewQuestionScreen() {
  const { t } = useTranslation('admin');
  const [search] = useScreenSearch('/admin/dashboard/questions/new');
  const { copy, translate } = search;
  const title =
    translate === undefined
      ? t(copy === undefined ? 'questions.new.title' : 'questions.new.copy_title', { id: copy })
      : t('questions.new.translation_title', { id: translate });
  const of = translate ?? copy;
  return (
    <AdminScreen
      title={title}
      lead={t('questions.new.lead')}
      actions={
        <ButtonLink
          to="/admin/dashboard/questions"
          search={lastSearch()}
          variant="tertiary"
          data-size="sm"
        >
          <ArrowLeftIcon aria-hidden />
          {t('questions.back')}
        </ButtonLink>
      }
    >
      {of === undefined ? (
        <Writing key="new" language={search.language} />
      ) : (
        <FromQuestion key={of} id={of} search={search} />
      )}
    </AdminScreen>
  );
}

/** Loads the question that is copied or translated. */
function FromQuestion({ id, search }: { id: number; search: NewQuestionSearch }) {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(questionQuery(String(id)));
  const siblings = useQuery(siblingsQuery(String(id)));
  const isMissing = found.error instanceof ApiError && found.error.status === 404;
  if (isMissing) {
    return (
      <EmptyState title={t('questions.missing')}>
        <p>{t('questions.missing_text')}</p>
      </EmptyState>
    );
  }
  const failed = [found, siblings].find(({ isError, data }) => isError && !data);
  if (failed) {
    return (
      <RetryAlert busy={failed.isFetching} onRetry={() => void failed.refetch()}>
        {t('questions.failed.fetch_one', { status: statusText(failed.error) })}
      </RetryAlert>
    );
  }
  if (!found.data || !siblings.data) {
    return <SkeletonLines label={t('questions.loading_one')} lines={8} />;
  }
  const taken = siblings.data
    .filter(({ question }) => question.retired_at === null)
    .map(({ question }) => question.language);
  return (
    <Writing
      from={found.data}
      isTranslation={search.translate !== undefined}
      language={search.language}
      taken={[found.data.language, ...taken]}
    />
  );
}

const NONE: readonly string[] = [];

type WritingProps = {
  from?: BankQuestion;
  isTranslation?: boolean;
  language: string | undefined;
  /** The languages in which the question exists. */
  taken?: readonly string[];
};

function Writing({ from, isTranslation = false, language: wanted, taken = NONE }: WritingProps) {
  const { t, i18n } = useTranslation('admin');
  const { data: known } = useQuery(filtersQuery);
  const languages = [...new Set(['no', 'en', ...(known?.languages ?? [])])].filter(
    (code) => !isTranslation || !taken.includes(code),
  );
  const [chosen, setChosen] = useState(wanted);
  const first = isTranslation ? languages[0] : (from?.language ?? languages[0]);
  const language = chosen !== undefined && languages.includes(chosen) ? chosen : (first ?? 'no');
  const edit = useNewQuestion({
    begin: from ? (isTranslation ? toTranslation(from) : toDraft(from)) : EMPTY_DRAFT,
    language,
    of: from && { id: from.id, isTranslation },
  });
  if (edit.created) {
    const params = { id: String(edit.created.id) };
    // The question is saved: nothing is left to ask about.
    return <Navigate to="/admin/dashboard/questions/$id" params={params} replace ignoreBlocker />;
  }
  if (isTranslation && languages.length === 0) {
    return (
      <EmptyState title={t('questions.new.all_translated')}>
        <p>{t('questions.new.all_translated_text')}</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles.columns} data-even={isTranslation || undefined}>
      <section className={styles.section} aria-labelledby="question-content">
        <h2 id="question-content">{t('questions.content')}</h2>
        <Field>
          <Label>{t('questions.filter.language')}</Label>
          <Select value={language} onChange={(event) => setChosen(event.currentTarget.value)}>
            {languages.map((code) => (
              <Select.Option key={code} value={code}>
                {languageName(code, i18n.language)}
              </Select.Option>
            ))}
          </Select>
        </Field>
        {from && !isTranslation && (
          <Alert data-color="info" data-size="sm">
            {t('questions.new.copy_text')}
          </Alert>
        )}
        <EditForm edit={edit} language={language} submit={t('questions.new.submit')} />
      </section>
      <aside className={styles.aside} aria-label={t('questions.new.aside')}>
        {from && isTranslation && <QuestionTexts question={from} />}
        <QuestionPreview draft={edit.draft} language={language} />
      </aside>
      <LeaveDialog isDirty={edit.isDirty} />
    </div>
  );
}
