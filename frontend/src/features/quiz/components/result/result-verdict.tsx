import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { Tag } from '@digdir/designsystemet-react';
import { FaceFrownIcon, ThumbUpIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { type ResultTone, resultTone } from '../../result-tone.ts';
import styles from './result-verdict.module.css';
import { ScoreRing } from './score-ring.tsx';

const icons: Record<ResultTone, typeof ThumbUpIcon | null> = {
  excellent: ThumbUpIcon,
  good: null,
  low: FaceFrownIcon,
};

export function ResultVerdict({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const score = session.score ?? 0;
  const { total, exam } = session;
  const tone = resultTone(score, total);
  const Icon = icons[tone];
  const share = total > 0 ? score / total : 0;
  const uncounted = session.questions.length - total;
  return (
    <>
      <ScoreRing share={share} tone={tone} label={formatPercent(share)} />
      <h1 className={styles.title} data-tone={tone}>
        {Icon && <Icon aria-hidden />}
        {t(`result.${exam?.passed === false ? 'low' : tone}`)}
      </h1>
      <p className={styles.score}>{t('result.score', { score, total })}</p>
      {exam && exam.passed !== null && (
        <Tag data-color={exam.passed ? 'success' : 'danger'} className={styles.verdict}>
          {t(exam.passed ? 'result.passed' : 'result.not_passed')}
        </Tag>
      )}
      {exam && (
        <p className="muted">
          {t('result.pass_mark', { mark: exam.pass_mark, total: exam.counted_questions })}{' '}
          {uncounted > 0 && t('result.uncounted', { count: uncounted })}
        </p>
      )}
      {session.regraded_at && <p>{t('result.regraded')}</p>}
    </>
  );
}
