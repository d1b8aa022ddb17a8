import { Button } from '@digdir/designsystemet-react';
import { EyeSlashIcon, TimerIcon } from '@navikt/aksel-icons';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useStored } from '#lib/use-stored.ts';
import { formatClock, reminderAt } from '../../run/countdown.ts';
import { useSecondsLeft } from '../../run/use-test-clock.ts';
import styles from './run-clock.module.css';

type RunClockProps = {
  /** By the monotonic clock of the page. */
  endsAt: number;
  onTimeUp: () => void;
};

/**
 * The time that is left. Who is made nervous by it hides it, and is reminded all the same. It is not
 * a live region: only the reminders are said aloud.
 */
export function RunClock({ endsAt, onTimeUp }: RunClockProps) {
  const { t } = useTranslation('learner');
  const [shown, setShown] = useStored('proveklar.clock', ['on', 'off'], 'on');
  const left = useSecondsLeft(endsAt);
  const reminder = reminderAt(left);

  const isUp = left === 0;
  const tellUp = useEffectEvent(onTimeUp);
  useEffect(() => {
    if (isUp) tellUp();
  }, [isUp]);

  return (
    <div className={styles.clock} data-soon={left <= 60 || undefined}>
      {shown === 'on' ? (
        <>
          <span role="timer" className={styles.time} aria-label={t('practice.time_left')}>
            <TimerIcon aria-hidden />
            {formatClock(left)}
          </span>
          <Button
            icon
            variant="tertiary"
            data-color="neutral"
            data-size="sm"
            aria-label={t('practice.hide_clock')}
            title={t('practice.hide_clock')}
            onClick={() => setShown('off')}
          >
            <EyeSlashIcon aria-hidden />
          </Button>
        </>
      ) : (
        <Button
          variant="tertiary"
          data-color="neutral"
          data-size="sm"
          onClick={() => setShown('on')}
        >
          <TimerIcon aria-hidden />
          {t('practice.show_clock')}
        </Button>
      )}
      <p role="status" className={styles.reminder}>
        {reminder && t('practice.reminder', { count: reminder })}
      </p>
    </div>
  );
}
