import { FaceFrownIcon, ThumbUpIcon } from '@navikt/aksel-icons';
import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { type ResultTone, resultTone } from '../../result-tone.ts';
import { ExamVerdict } from './exam-verdict.tsx';
import styles from './result-verdict.module.css';

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

const RADIUS = 54;
const LENGTH = 2 * Math.PI * RADIUS;

/** The percentage as a ring. The number in it is the text; the ring adds nothing to hear. */
function ScoreRing({ share, tone, label }: { share: number; tone: ResultTone; label: string }) {
  return (
    <div className={styles.ring} data-tone={tone}>
      <svg viewBox="0 0 128 128" aria-hidden="true">
        <circle className={styles.track} cx="64" cy="64" r={RADIUS} />
        <circle
          className={styles.value}
          cx="64"
          cy="64"
          r={RADIUS}
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - share)}
          visibility={share === 0 ? 'hidden' : undefined}
        />
      </svg>
      <strong>{label}</strong>
    </div>
  );
}
