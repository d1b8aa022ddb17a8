import { Alert, Tag } from '@digdir/designsystemet-react';
import type { SiblingsResponse } from '@proveklar/contract/question-writing.ts';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { Stack } from '#components/layout.tsx';
import { ButtonLink } from '#components/link.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { languageName } from '#lib/question-language.ts';
import { filtersQuery, markAligned, siblingsQuery } from './api.ts';
import { ContentDiff } from './content-diff.tsx';
import { versionDraft } from './draft.ts';
import { StatusTag } from './question-actions.tsx';
import { QuestionTexts } from './question-texts.tsx';
import styles from './question.module.css';

/** The question in other languages, side by side, and what was changed there since. */
export function Siblings({ question }: { question: BankQuestion }) {
  const { t, i18n } = useTranslation('admin');
  const statusText = useStatusText();
  const found = useQuery(siblingsQuery(String(question.id)));
  const { data: known } = useQuery(filtersQuery);
  const siblings = found.data ?? [];
  const taken = new Set([
    question.language,
    ...siblings
      .filter((one) => one.question.retired_at === null)
      .map((one) => one.question.language),
  ]);
  const missing = (known?.languages ?? []).filter((code) => !taken.has(code));
  return (
    <section className={styles.section} aria-labelledby="question-siblings">
      <h2 id="question-siblings">{t('questions.siblings.title')}</h2>
      {found.isPending && <SkeletonLines label={t('questions.loading_one')} lines={3} />}
      {found.isError && (
        <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
          {t('questions.siblings.failed', { status: statusText(found.error) })}
        </RetryAlert>
      )}
      {found.isSuccess && siblings.length === 0 && (
        <p className="muted">{t('questions.siblings.none')}</p>
      )}
      {siblings.length > 0 && (
        <div className={styles.sideBySide}>
          <QuestionTexts question={question} />
          {siblings.map((sibling) => (
            <Sibling key={sibling.question.id} of={question} sibling={sibling} />
          ))}
        </div>
      )}
      {missing.length > 0 && (
        <ul className={styles.translate}>
          {missing.map((language) => (
            <li key={language}>
              <ButtonLink
                to="/admin/dashboard/questions/new"
                search={{ translate: question.id, language }}
                variant="secondary"
                data-size="sm"
              >
                {t('questions.siblings.translate', {
                  language: languageName(language, i18n.language),
                })}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type SiblingProps = { of: BankQuestion; sibling: SiblingsResponse['siblings'][number] };

function Sibling({ of, sibling: { question, before } }: SiblingProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const marking = useMutation({
    mutationFn: () => markAligned(of.id, question.id),
    onSuccess: () => notify(t('questions.siblings.marked')),
    onError: (error) => notify(t('questions.siblings.not_marked', { reason: errorText(error) })),
    onSettled: () => refreshQuestions(queryClient),
  });
  return (
    <Stack gap={3}>
      <QuestionTexts question={question} />
      <p>
        <StatusTag question={question} />{' '}
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(question.id) }}
          className="ds-link"
        >
          {t('questions.see_question', { id: question.id })}
        </Link>
      </p>
      {before === null ? (
        <p>
          <Tag data-size="sm" data-color="success">
            {t('questions.siblings.aligned')}
          </Tag>
        </p>
      ) : (
        <Alert data-color="warning" data-size="sm">
          <Stack gap={3}>
            <p>{t('questions.siblings.changed')}</p>
            <ContentDiff before={versionDraft(before)} after={versionDraft(question)} />
            <div>
              <BusyButton
                data-size="sm"
                variant="secondary"
                busy={marking.isPending}
                onClick={() => marking.mutate()}
              >
                {t('questions.siblings.mark')}
              </BusyButton>
            </div>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
