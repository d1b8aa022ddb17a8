import type { ResultTone } from '../../result-tone.ts';
import styles from './score-ring.module.css';

const RADIUS = 54;
const LENGTH = 2 * Math.PI * RADIUS;

/** The percentage as a ring. The number in it is the text; the ring adds nothing to hear. */
export function ScoreRing({
  share,
  tone,
  label,
}: {
  share: number;
  tone: ResultTone;
  label: string;
}) {
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
