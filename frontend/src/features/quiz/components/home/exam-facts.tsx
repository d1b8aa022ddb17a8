import { useTranslation } from 'react-i18next';
import { formatDate } from '#lib/format.ts';
import type { ExamFacts as Facts } from '../../api.ts';
import styles from './exam-facts.module.css';

/** What the exam is like, and how we know. */
export function ExamFacts({ exam }: { exam: Facts }) {
  const { t, i18n } = useTranslation('learner');
  const { questions_shown, questions_counted, pass_mark, minutes } = exam;
  const uncounted = questions_shown - questions_counted;
  const facts = [
    { value: questions_shown, what: t('practice.questions') },
    { value: minutes, what: t('practice.minutes') },
    {
      value: t('practice.to_pass_value', { mark: pass_mark, counted: questions_counted }),
      what: t('practice.to_pass'),
    },
  ];
  return (
    <details className={styles.place}>
      <summary>{t('practice.summary', { count: questions_shown, minutes })}</summary>
      <ul className={styles.facts}>
        {facts.map(({ value, what }) => (
          <li key={what}>
            <strong>{value}</strong> {what}
          </li>
        ))}
      </ul>
      <p className={styles.source}>
        {uncounted > 0 && `${t('practice.uncounted', { count: uncounted })} `}
        {t('practice.checked', { date: formatDate(exam.checked_at, i18n.language) })}{' '}
        <a className="ds-link tap" href={exam.source_url} target="_blank" rel="noreferrer">
          {t('practice.source', { host: new URL(exam.source_url).host.replace(/^www\./, '') })}
        </a>
      </p>
    </details>
  );
}
