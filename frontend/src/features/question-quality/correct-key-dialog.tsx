import { Fieldset, Radio } from '@digdir/designsystemet-react';
import type { QuestionStatisticsResponse } from '@proveklar/contract/question-quality.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '#components/admin/notify.ts';
import { AppDialog } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { formatPercent } from '#lib/format.ts';
import { refreshQuestions } from '#lib/question-areas.ts';
import { textIn } from '#lib/question-language.ts';
import { correctKey, statisticsQuery } from './api.ts';
import styles from './question-quality.module.css';

type CorrectKeyDialogProps = {
  /** The question's id or uuid; undefined closes the dialog. */
  id: string | undefined;
  onClose: () => void;
};

/** Asks for the right option, and explains the effect on given answers. */
export function CorrectKeyDialog({ id, onClose }: CorrectKeyDialogProps) {
  const { t } = useTranslation('admin');
  return (
    <AppDialog open={id !== undefined} title={t('quality.correct.title')} onClose={onClose}>
      {id !== undefined && <Content id={id} onClose={onClose} />}
    </AppDialog>
  );
}

function Content({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const found = useQuery(statisticsQuery(id));
  if (found.data) return <KeyForm statistics={found.data} onClose={onClose} />;
  if (found.isError) {
    return (
      <RetryAlert busy={found.isFetching} onRetry={() => void found.refetch()}>
        {errorText(found.error)}
      </RetryAlert>
    );
  }
  return <SkeletonLines label={t('quality.loading')} lines={4} />;
}

type KeyFormProps = { statistics: QuestionStatisticsResponse; onClose: () => void };

function KeyForm({ statistics, onClose }: KeyFormProps) {
  const { t, i18n } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const name = useId();
  const { id, version, question, language } = statistics;
  const [answer, setAnswer] = useState<string>();
  /** Attempts without an answer, since one was chosen. */
  const [missing, setMissing] = useState(0);
  // The version that was first shown, although a newer one may have been read meanwhile.
  const [shown] = useState({ version, options: statistics.options });
  const key = shown.options.find(({ is_key }) => is_key);
  const wrong = shown.options.filter(({ is_key }) => !is_key);
  const chosenBy = (share: number) =>
    t('quality.correct.chosen', { share: formatPercent(share, i18n.language) });
  const correction = useMutation({
    mutationFn: (chosen: string) => correctKey(id, { version: shown.version, answer: chosen }),
    onSuccess: ({ quizzes }) => {
      const counted = { count: quizzes, n: formatCount(quizzes, i18n.language) };
      notify(t('quality.correct.done', counted));
      onClose();
      return refreshQuestions(queryClient);
    },
  });
  return (
    <Form
      className={styles.dialog}
      submit={t('quality.correct.action')}
      button={{ 'data-color': 'danger' }}
      busy={correction.isPending}
      error={
        missing > 0
          ? t('quality.correct.missing')
          : correction.isError
            ? t('quality.correct.failed', { reason: errorText(correction.error) })
            : ''
      }
      attempt={missing}
      onCancel={onClose}
      onSubmit={() => {
        if (answer === undefined) setMissing(missing + 1);
        else correction.mutate(answer);
      }}
    >
      <p {...textIn(language)}>
        <strong>{question}</strong>
      </p>
      {key && (
        <p>
          {t('quality.correct.now')} <strong {...textIn(language)}>{key.option}</strong>
          {key.share !== null && ` (${chosenBy(key.share)})`}
        </p>
      )}
      <Fieldset>
        <Fieldset.Legend>{t('quality.correct.which')}</Fieldset.Legend>
        {wrong.map(({ option, share }) => (
          <Radio
            key={option}
            name={name}
            label={<span {...textIn(language)}>{option}</span>}
            description={share === null ? undefined : chosenBy(share)}
            value={option}
            checked={answer === option}
            onChange={() => {
              setAnswer(option);
              setMissing(0);
            }}
          />
        ))}
      </Fieldset>
      <p>{t('quality.correct.text')}</p>
    </Form>
  );
}
