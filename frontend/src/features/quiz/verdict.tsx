import { Tag } from '@digdir/designsystemet-react';
import {
  CheckmarkCircleFillIcon,
  FaceFrownIcon,
  ThumbUpIcon,
  XMarkOctagonFillIcon,
} from '@navikt/aksel-icons';
import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { outcomeOf, resultTone, timeSpent, type ResultTone } from './outcome.ts';
import styles from './verdict.module.css';

const icons: Record<ResultTone, typeof ThumbUpIcon | null> = {
  excellent: ThumbUpIcon,
  good: null,
  low: FaceFrownIcon,
};

export function ResultVerdict({ session }: { session: QuizSession }) {
  const { t, i18n } = useTranslation('learner');
  const score = session.score ?? 0;
  const { total, exam } = session;
  const tone = resultTone(score, total);
  const Icon = icons[tone];
  const share = total > 0 ? score / total : 0;
  const { allRight } = outcomeOf(session);
  // The exams are passed with three of four, or a little less: praise below that would mislead.
  const isHalfway = tone === 'good' && !exam?.passed && score * 4 < total * 3;
  return (
    <>
      <div className={styles.ringBox}>
        {(allRight || exam?.passed) && <Confetti />}
        <ScoreRing share={share} tone={tone} label={formatPercent(share, i18n.language)} />
      </div>
      <h1 className={styles.title} data-tone={tone} aria-describedby="result-score result-exam">
        {Icon && <Icon aria-hidden />}
        {t(`result.${exam?.passed === false ? 'low' : isHalfway ? 'halfway' : tone}`)}
      </h1>
      <p className={styles.score} id="result-score">
        {t('result.score', { score, total })}
      </p>
      {allRight && <p className={styles.allRight}>{t('result.all_right')}</p>}
      <ExamVerdict session={session} />
      {session.regraded_at && <p>{t('result.regraded')}</p>}
    </>
  );
}

const PIECES = 14;

/** Flies once around the ring, for a pass and for a full score; not with reduced motion. */
function Confetti() {
  return (
    <span className={styles.confetti} aria-hidden="true">
      {Array.from({ length: PIECES }, (_, piece) => (
        <i key={piece} style={{ rotate: `${(piece / PIECES) * 360}deg` }} />
      ))}
    </span>
  );
}

const RADIUS = 54;
const LENGTH = 2 * Math.PI * RADIUS;

/** The percentage as a ring. The number is text; the ring is hidden from screen readers. */
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

/** Whether the test was passed, by how much, and in what time. */
function ExamVerdict({ session }: { session: QuizSession }) {
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
