import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { Button, Tag } from '@digdir/designsystemet-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { DefinitionList } from '#components/definition-list.tsx';
import { formatCount, formatShortDateTime } from '#lib/format-compact.ts';
import { languageName } from '#lib/question-language.ts';
import { filtersQuery } from '../../api.ts';
import { useRestore, useValidate } from '../../use-question-actions.ts';
import { DeleteDialog } from '../edit/delete-dialog.tsx';
import { StatusTag } from '../status-tag.tsx';
import styles from './question-page.module.css';

type QuestionStateProps = { question: BankQuestion; onGone: () => void };

/** What a question is to learners now, where it came from, and what can be made of it. */
export function QuestionState({ question, onGone }: QuestionStateProps) {
  const { t, i18n } = useTranslation('admin');
  const { id, validated, retired_at, is_used, import_id, created_at, updated_at } = question;
  const [isAsked, setAsked] = useState(false);
  const validation = useValidate();
  const restoring = useRestore();
  const date = (iso: string) => formatShortDateTime(iso, i18n.language);
  const number = (count: number) => formatCount(count, i18n.language);
  return (
    <section className={styles.state} aria-labelledby="question-state">
      <h2 id="question-state" className="ds-sr-only">
        {t('questions.column.status')}
      </h2>
      <p>
        <StatusTag question={question} />
      </p>
      <div className={styles.actions}>
        {retired_at ? (
          <BusyButton
            data-size="sm"
            busy={restoring.isPending}
            onClick={() => restoring.mutate(id)}
          >
            {t('questions.action.restore')}
          </BusyButton>
        ) : (
          <BusyButton
            data-size="sm"
            variant={validated ? 'secondary' : 'primary'}
            busy={validation.isPending}
            onClick={() => validation.mutate({ question, validated: !validated })}
          >
            {t(validated ? 'questions.action.unvalidate' : 'questions.action.validate')}
          </BusyButton>
        )}
        {!(retired_at && is_used) && (
          <Button
            data-size="sm"
            variant="secondary"
            data-color="danger"
            onClick={() => setAsked(true)}
          >
            {t(is_used ? 'questions.action.retire' : 'questions.action.delete')}
          </Button>
        )}
      </div>
      <DefinitionList
        rows={[
          {
            label: t('questions.column.language'),
            value: <QuestionLanguage code={question.language} />,
          },
          { label: t('questions.column.selected'), value: number(question.times_selected) },
          {
            label: t('questions.column.correct'),
            value:
              question.correct_percent === null ? '–' : `${number(question.correct_percent)} %`,
          },
          { label: t('questions.version'), value: question.version },
          { label: t('questions.created'), value: date(created_at) },
          ...(updated_at ? [{ label: t('questions.updated'), value: date(updated_at) }] : []),
          ...(import_id
            ? [
                {
                  label: t('questions.origin'),
                  value: (
                    <Link
                      to="/admin/dashboard/imports/$id"
                      params={{ id: import_id }}
                      className="ds-link"
                    >
                      {t('audit.see_import')}
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
      <DeleteDialog
        question={isAsked ? question : undefined}
        onClose={() => setAsked(false)}
        onGone={onGone}
      />
    </section>
  );
}

/** Its name, and whether learners get questions in it. */
function QuestionLanguage({ code }: { code: string }) {
  const { t, i18n } = useTranslation('admin');
  const { data } = useQuery(filtersQuery);
  const notOffered = (data as Partial<typeof data>)?.languages_not_offered?.includes(code);
  return (
    <>
      {languageName(code, i18n.language)}{' '}
      {notOffered && (
        <Tag data-color="warning" data-size="sm">
          {t('questions.not_offered')}
        </Tag>
      )}
    </>
  );
}
