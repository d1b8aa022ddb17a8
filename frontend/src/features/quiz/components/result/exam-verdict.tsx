import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { Tag } from '@digdir/designsystemet-react';
import { CheckmarkCircleFillIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { timeSpent } from '../../history/time-spent.ts';
import styles from './result-verdict.module.css';

/** Passed or not, by how much, and in what time. */
export function ExamVerdict({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const { exam, score } = session;
  if (!exam || exam.passed === null || score === null) return null;
  const uncounted = session.questions.length - session.total;
  const Icon = exam.passed ? CheckmarkCircleFillIcon : XMarkOctagonFillIcon;
  return (
    <>
      <Tag
        id="result-exam"
        data-color={exam.passed ? 'success' : 'danger'}
        className={styles.verdict}
      >
        <Icon aria-hidden />
        {t(exam.passed ? 'result.passed' : 'result.not_passed')}
      </Tag>
      <p>
        {t('result.pass_mark', { mark: exam.pass_mark, total: exam.counted_questions })}{' '}
        {!exam.passed && t('practice.missing', { count: exam.pass_mark - score })}
      </p>
      <p className="muted">
        <TimeUsed session={session} />{' '}
        {uncounted > 0 && t('result.uncounted', { count: uncounted })}
      </p>
    </>
  );
}

function TimeUsed({ session: { exam, started_at, ended_at } }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  if (!exam || ended_at === null) return null;
  if (ended_at === exam.deadline_at) return <>{t('practice.time_was_up')}</>;
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  if (exam.minutes === null) {
    return <>{t('practice.time_used', { time: timeSpent(seconds, t) })}</>;
  }
  const used = Math.round(seconds / 60);
  return <>{t('practice.time_used_of', { used, minutes: exam.minutes })}</>;
}
