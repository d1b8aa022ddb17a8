import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { useCloseFeedback } from '../use-close-feedback.ts';
import styles from './feedback.module.css';

const CLOSED = ['fixed', 'dismissed'] as const;

/** Mend the question, close what was said of it, or take that back. */
export function CardActions({ question }: { question: ReportedQuestion }) {
  const { t } = useTranslation('admin');
  const change = useCloseFeedback();
  const closings = question.reports.open > 0 ? CLOSED : [];
  const name = (action: string) => `${action}: ${question.question}`;
  return (
    <div className={styles.actions}>
      <EditLink question={question} />
      {closings.map((to) => (
        <BusyButton
          key={to}
          variant="secondary"
          data-size="sm"
          busy={change.isPending && change.variables.to === to}
          resting={change.isPending}
          aria-label={name(t(`feedback.close_as.${to}`))}
          onClick={() => change.mutate({ question, to })}
        >
          {t(`feedback.close_as.${to}`)}
        </BusyButton>
      ))}
      {question.reports.open === 0 && (
        <BusyButton
          variant="tertiary"
          data-size="sm"
          busy={change.isPending}
          aria-label={name(t('feedback.reopen'))}
          onClick={() => change.mutate({ question, to: 'open' })}
        >
          {t('feedback.reopen')}
        </BusyButton>
      )}
    </div>
  );
}

/** The way to where the question is mended. */
function EditLink({ question: { id, question } }: { question: ReportedQuestion }) {
  const { t } = useTranslation('admin');
  const text = t('feedback.edit');
  return (
    <ButtonLink
      to="/admin/dashboard/questions/$id"
      params={{ id: String(id) }}
      data-size="sm"
      aria-label={`${text}: ${question}`}
    >
      {text}
    </ButtonLink>
  );
}
