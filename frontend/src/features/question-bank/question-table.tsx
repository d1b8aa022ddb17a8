import { Button, Checkbox, Switch } from '@digdir/designsystemet-react';
import { ChevronDownIcon, ChevronUpIcon } from '@navikt/aksel-icons';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable } from '#components/admin/data-table.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { Cluster } from '#components/layout.tsx';
import { formatCount } from '#lib/format-compact.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import type { Selected } from './bulk-bar.tsx';
import { StatusTag, useDelete, useRestore, useRetire, useValidate } from './question-actions.tsx';
import { QuestionTexts } from './question-texts.tsx';
import styles from './questions.module.css';
import { QuestionTopicDialog } from './topic-dialog.tsx';
import { useReviewKeys, useReviewKeysChoice } from './use-review-keys.ts';

type QuestionTableProps = {
  questions: BankQuestion[];
  selected: Selected;
  busy: boolean;
  /** Shows the next page, or the previous one; false if there is none. */
  onPage: (step: 1 | -1) => boolean;
};

/**
 * The questions of a page. Each row opens to its options and explanation; with keys, the next question opens as
 * the one before closes, so that reviewing one takes one key.
 */
export function QuestionTable({ questions, selected, busy, onPage }: QuestionTableProps) {
  const { t, i18n } = useTranslation('admin');
  const [retopicked, setRetopicked] = useState<BankQuestion>();
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [isKeyed, setKeyed] = useReviewKeysChoice();
  const askToDelete = useDelete();
  const current = useReview({ questions, isKeyed, onPage });
  const number = (count: number) => formatCount(count, i18n.language);
  const isOpen = ({ id }: BankQuestion) => opened.has(id) || current === id;
  const idOf = ({ id }: BankQuestion) => `question-${id}-texts`;
  const allOpen = questions.every(({ id }) => opened.has(id));

  function toggle({ id }: BankQuestion) {
    const next = new Set(opened);
    if (!next.delete(id)) next.add(id);
    setOpened(next);
  }

  const columns: Column<BankQuestion>[] = [
    {
      key: 'chosen',
      header: t('questions.column.chosen'),
      bare: true,
      head: <span className="ds-sr-only">{t('questions.column.chosen')}</span>,
      render: (question) => (
        <Checkbox
          aria-label={t('questions.choose', { id: question.id })}
          checked={selected.has(question.id)}
          onChange={({ currentTarget }) =>
            selected.toggle([question], currentTarget.checked, questions)
          }
        />
      ),
    },
    {
      key: 'question',
      header: t('questions.column.question'),
      primary: true,
      render: (question) => (
        <div className={styles.cell}>
          <Button
            icon
            variant="tertiary"
            data-size="sm"
            aria-expanded={isOpen(question)}
            aria-controls={isOpen(question) ? idOf(question) : undefined}
            aria-label={t('questions.expand', { id: question.id })}
            onClick={() => toggle(question)}
          >
            {isOpen(question) ? <ChevronUpIcon aria-hidden /> : <ChevronDownIcon aria-hidden />}
          </Button>
          <Link
            to="/admin/dashboard/questions/$id"
            params={{ id: String(question.id) }}
            className={`ds-link ${styles.question}`}
            {...textIn(question.language)}
          >
            {question.question}
          </Link>
        </div>
      ),
    },
    {
      key: 'topic',
      header: t('questions.column.topic'),
      render: ({ topic }) => <span className="clamped">{topic}</span>,
    },
    {
      key: 'language',
      header: t('questions.column.language'),
      render: ({ language }) => languageName(language, i18n.language),
    },
    {
      key: 'status',
      header: t('questions.column.status'),
      render: (question) => <StatusTag question={question} />,
    },
    {
      key: 'selected',
      header: t('questions.column.selected'),
      align: 'end',
      render: ({ times_selected }) => number(times_selected),
    },
    {
      key: 'correct',
      header: t('questions.column.correct'),
      align: 'end',
      render: ({ correct_percent }) => (
        <span className={styles.figure}>
          {correct_percent === null ? '–' : `${number(correct_percent)} %`}
        </span>
      ),
    },
    {
      key: 'reports',
      header: t('questions.column.reports'),
      align: 'end',
      render: ({ times_reported }) => number(times_reported),
    },
    {
      key: 'actions',
      header: t('questions.column.actions'),
      bare: true,
      render: (question) => (
        <RowActions
          question={question}
          onTopic={() => setRetopicked(question)}
          onDelete={() => askToDelete(question)}
        />
      ),
    },
  ];
  return (
    <>
      <Cluster gap={3} align="center" justify="between">
        <Button
          variant="tertiary"
          data-size="sm"
          onClick={() => setOpened(new Set(allOpen ? [] : questions.map(({ id }) => id)))}
        >
          {t(allOpen ? 'questions.collapse_all' : 'questions.expand_all')}
        </Button>
        <Switch
          data-size="sm"
          label={t('questions.keys.switch')}
          description={t('questions.keys.text')}
          checked={isKeyed}
          onChange={(event) => setKeyed(event.currentTarget.checked)}
        />
      </Cluster>
      <DataTable
        caption={t('questions.list')}
        columns={columns}
        rows={questions}
        rowKey={({ id }) => id}
        busy={busy}
        expansion={{
          isOpen,
          idOf,
          render: (question) => <QuestionTexts question={question} bare />,
        }}
        isCurrent={({ id }) => id === current}
      />
      <QuestionTopicDialog question={retopicked} onClose={() => setRetopicked(undefined)} />
    </>
  );
}

interface Reviewing {
  questions: BankQuestion[];
  isKeyed: boolean;
  onPage: QuestionTableProps['onPage'];
}

interface Current {
  /** Undefined while another page is being loaded. */
  id: number | undefined;
  /** Where it stands: when it has left the list, the one in its place is next. */
  place: number;
  /** The page that is being left. */
  left?: BankQuestion[];
}

/** The question that keys act on; undefined before the first key. */
function useReview({ questions, isKeyed, onPage }: Reviewing): number | undefined {
  const navigate = useNavigate();
  const [current, setCurrent] = useState<Current>();
  const validation = useValidate();
  const retiring = useRetire();
  const found = questions.findIndex(({ id }) => id === current?.id);
  const { id, place = 0, left } = current ?? {};

  function show(next: number) {
    const last = questions.length - 1;
    const at = Math.min(next, last);
    if (questions[at]) setCurrent({ id: questions[at].id, place: at });
  }
  if (current && questions !== left) {
    if (found < 0) show(place);
    else if (found !== place) show(found);
  }

  useEffect(() => {
    if (id === undefined) return;
    const row = document.querySelector<HTMLElement>(`[data-row="${id}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    row?.querySelector<HTMLElement>('a')?.focus({ preventScroll: true });
  }, [id]);

  function move(step: 1 | -1) {
    if (!current) show(0);
    else if (questions[found + step]) show(found + step);
    else if (onPage(step)) {
      setCurrent({ id: undefined, place: step === 1 ? 0 : Infinity, left: questions });
    }
  }

  useReviewKeys(isKeyed, (key) => {
    const question = questions[found];
    if (key === 'j') move(1);
    else if (key === 'k') move(-1);
    else if (!question) show(0);
    else if (key === 'e') {
      void navigate({
        to: '/admin/dashboard/questions/$id',
        params: { id: String(question.id) },
      });
    } else if (question.retired_at === null) {
      if (key === 'v') validation.mutate({ question, validated: true });
      else retiring.mutate(question.id);
      if (questions[found + 1]) show(found + 1);
    }
  });
  return isKeyed ? id : undefined;
}

type RowActionsProps = { question: BankQuestion; onTopic: () => void; onDelete: () => void };

/** The actions for a question in the list. */
function RowActions({ question, onTopic, onDelete }: RowActionsProps) {
  const { t } = useTranslation('admin');
  const { id, validated, is_used, retired_at } = question;
  const validation = useValidate();
  const restoring = useRestore();
  const own = { 'data-size': 'sm', variant: 'tertiary' } as const;
  return (
    <div className={styles.rowActions}>
      {retired_at ? (
        <BusyButton
          {...own}
          busy={restoring.isPending}
          aria-label={t('questions.which.restore', { id })}
          onClick={() => restoring.mutate(id)}
        >
          {t('questions.action.restore')}
        </BusyButton>
      ) : (
        <BusyButton
          {...own}
          busy={validation.isPending}
          aria-label={t(validated ? 'questions.which.unvalidate' : 'questions.which.validate', {
            id,
          })}
          onClick={() => validation.mutate({ question, validated: !validated })}
        >
          {t(validated ? 'questions.action.unvalidate_short' : 'questions.action.validate')}
        </BusyButton>
      )}
      <Button {...own} aria-label={t('questions.which.retopic', { id })} onClick={onTopic}>
        {t('questions.action.topic_short')}
      </Button>
      {!(retired_at && is_used) && (
        <Button
          {...own}
          data-color="danger"
          aria-label={t(is_used ? 'questions.which.retire' : 'questions.which.delete', { id })}
          onClick={onDelete}
        >
          {t(is_used ? 'questions.action.retire' : 'questions.action.delete')}
        </Button>
      )}
    </div>
  );
}
