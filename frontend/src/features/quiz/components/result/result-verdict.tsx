import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { FaceFrownIcon, ThumbUpIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { type ResultTone, resultTone } from '../../result-tone.ts';
import { ExamVerdict } from './exam-verdict.tsx';
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
  return (
    <>
      <ScoreRing share={share} tone={tone} label={formatPercent(share)} />
      <h1 className={styles.title} data-tone={tone} aria-describedby="result-score result-exam">
        {Icon && <Icon aria-hidden />}
        {t(`result.${exam?.passed === false ? 'low' : tone}`)}
      </h1>
      <p className={styles.score} id="result-score">
        {t('result.score', { score, total })}
      </p>
      <ExamVerdict session={session} />
      {session.regraded_at && <p>{t('result.regraded')}</p>}
    </>
  );
}
