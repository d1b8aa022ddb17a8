import type { ReportedQuestion } from '@proveklar/contract/feedback.ts';
import { Tag } from '@digdir/designsystemet-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatCount, formatShortDate, formatShortDateTime } from '#lib/format-compact.ts';
import { languageName, textIn } from '#lib/question-language.ts';
import { CardActions } from './card-actions.tsx';
import styles from './feedback.module.css';
import { StateTag } from './state-tag.tsx';
import { useReasonText } from './use-reason-text.ts';

/** A reported question: how often and why, what learners wrote, and what may be done. */
export function QuestionCard({ question: shown }: { question: ReportedQuestion }) {
  const { t, i18n } = useTranslation('admin');
  const { id, question, topic, language, reports, comments, last_reported_at: last } = shown;
  const count = (number: number) => formatCount(number, i18n.language);
  const heading = `reported-${id}`;
  return (
    <article className={styles.card} aria-labelledby={heading}>
      <div className={styles.what}>
        <p className={styles.facts}>
          <StateTag state={shown.state} />
          <span className="clamped">{topic}</span>
          <span>{languageName(language, i18n.language)}</span>
          {shown.retired && (
            <Tag data-color="neutral" data-size="sm">
              {t('feedback.retired')}
            </Tag>
          )}
        </p>
        <h2 id={heading} {...textIn(language)}>
          {question}
        </h2>
        <Reasons reasons={shown.reasons} />
        {comments.length > 0 && (
          <ul className={styles.comments} aria-label={t('feedback.comments')}>
            {comments.map(({ id: key, created_at: at, comment }) => (
              <li key={key}>
                <q>{comment}</q>
                <small>{formatShortDate(at, i18n.language)}</small>
              </li>
            ))}
          </ul>
        )}
        <p className={styles.amounts}>
          <strong>
            {t('feedback.reports', { count: reports.total, number: count(reports.total) })}
          </strong>
          {reports.open > 0 && reports.open < reports.total && (
            <span>{t('feedback.of_them_open', { number: count(reports.open) })}</span>
          )}
          <span>{t('feedback.last', { date: formatShortDateTime(last, i18n.language) })}</span>
          <Link to="/admin/dashboard/feedback" search={{ question: id }} className="ds-link">
            {t('feedback.see_each')}
          </Link>
        </p>
      </div>
      <CardActions question={shown} />
    </article>
  );
}

function Reasons({ reasons }: Pick<ReportedQuestion, 'reasons'>) {
  const { t, i18n } = useTranslation('admin');
  const reasonText = useReasonText();
  const given = Object.entries(reasons)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a);
  return (
    <ul className={styles.reasons} aria-label={t('feedback.reasons')}>
      {given.map(([reason, count]) => (
        <li key={reason}>
          {reasonText(reason as keyof typeof reasons)}{' '}
          <strong>{formatCount(count, i18n.language)}</strong>
        </li>
      ))}
    </ul>
  );
}
