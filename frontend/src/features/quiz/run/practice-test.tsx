import { Button } from '@digdir/designsystemet-react';
import {
  BookmarkFillIcon,
  BookmarkIcon,
  CheckmarkIcon,
  ChevronDownIcon,
  EyeSlashIcon,
  TimerIcon,
} from '@navikt/aksel-icons';
import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { useStored } from '#lib/use-stored.ts';
import { quizKeys } from '../api.ts';
import type { LastRead } from './answers-store.ts';
import { formatClock, reminderAt, secondsUntil, untilNextSecond } from './countdown.ts';
import styles from './practice-test.module.css';
import { nextWanted } from './quiz-position.ts';
import type { QuizRunState } from './use-quiz-run.ts';

type RunClockProps = {
  /** The end by the page's monotonic clock. */
  endsAt: number;
  onTimeUp: () => void;
};

/**
 * The time left. A learner whom it makes nervous can hide it, and still gets the reminders. Only the
 * reminders are announced.
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

/**
 * When a practice test ends, by the page's monotonic clock, because the device's clock may be wrong. Undefined
 * for a quiz without a time limit. The last read of the quiz decides, because the monotonic clock stops while
 * a computer sleeps.
 */
export function useTestEnd(session: QuizSession, lastRead: LastRead | undefined) {
  const queryClient = useQueryClient();
  const [endAtEntry] = useState(() => {
    const readAt = queryClient.getQueryState(quizKeys.session(session.id))?.dataUpdatedAt;
    const ageMs = readAt ? Math.max(0, Date.now() - readAt) : 0;
    return endOf({ session, at: performance.now() - ageMs });
  });
  return lastRead ? endOf(lastRead) : endAtEntry;
}

function endOf({ session, at }: Pick<LastRead, 'session' | 'at'>): number | undefined {
  const left = session.exam?.seconds_left;
  return typeof left === 'number' ? at + left * 1000 : undefined;
}

/** Counts down to a time of the monotonic clock. */
function useSecondsLeft(endsAt: number): number {
  const [now, setNow] = useState(() => performance.now());
  const left = secondsUntil(endsAt, now);
  const isUp = left === 0;
  useEffect(() => {
    if (isUp) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    function tick() {
      const at = performance.now();
      setNow(at);
      clearTimeout(timer);
      timer = setTimeout(tick, untilNextSecond(endsAt, at));
    }
    tick();
    // Timers are throttled in the background; this updates the time as soon as the page is visible.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [endsAt, isUp]);
  return left;
}

type QuestionMapProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
  onHandIn: () => void;
  /** On a phone: the number of the question, which opens the map. */
  place: ReactNode;
  /** On a phone: what else stands in the row. */
  children: ReactNode;
};

/**
 * An overview of all questions of a practice test, with links to each, and next to it the button to hand in,
 * until that is among the buttons below.
 */
export function QuestionMap({
  run,
  questions,
  marked,
  onHandIn,
  place,
  children,
}: QuestionMapProps) {
  const { t } = useTranslation('learner');
  // On a wide screen it is open, next to the question (practice-test.module.css).
  const [isWide] = useState(() => matchMedia('(min-width: 75rem)').matches);
  const isHandedInBelow = run.isLast || run.answered === run.total;
  const handIn = !isHandedInBelow && (
    <Button variant="tertiary" data-size="sm" disabled={run.finishing} onClick={onHandIn}>
      {t('run.hand_in')}
    </Button>
  );
  return (
    <div className={styles.place}>
      <details className={styles.map} open={isWide}>
        <summary>
          <ChevronDownIcon aria-hidden />
          {place}
          <span className={place ? 'ds-sr-only' : styles.title}>{t('run.map')}</span>
          <span className={styles.count}>
            {t('run.map_count', { n: run.answered, total: run.total })}
            {marked.size > 0 && ` · ${t('practice.marked_count', { count: marked.size })}`}
          </span>
        </summary>
        <div className={styles.content}>
          <ol className={styles.questions}>
            {questions.map(({ uuid }, index) => {
              const isAnswered = Boolean(run.answers[uuid]?.answer);
              const isMarked = marked.has(uuid);
              const n = index + 1;
              const label = t(isAnswered ? 'run.map_answered' : 'run.map_open', { n });
              return (
                <li key={uuid}>
                  <button
                    type="button"
                    data-answered={isAnswered || undefined}
                    aria-current={index === run.index ? 'step' : undefined}
                    aria-label={isMarked ? t('practice.map_marked', { label }) : label}
                    onClick={() => run.goTo(index)}
                  >
                    {n}
                    {isAnswered && <CheckmarkIcon aria-hidden className={styles.check} />}
                    {isMarked && <BookmarkFillIcon aria-hidden className={styles.bookmark} />}
                  </button>
                </li>
              );
            })}
          </ol>
          <QuestionJumps run={run} questions={questions} marked={marked} />
          {place && handIn}
        </div>
      </details>
      {place ? children : handIn}
    </div>
  );
}

type QuestionJumpsProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
};

/** Buttons to the next unanswered and the next marked question. */
function QuestionJumps({ run, questions, marked }: QuestionJumpsProps) {
  const { t } = useTranslation('learner');
  const next = {
    next_open: nextWanted(questions, run.index, ({ uuid }) => !run.answers[uuid]?.answer),
    next_marked: nextWanted(questions, run.index, ({ uuid }) => marked.has(uuid)),
  };
  return (
    <div className={styles.jumps}>
      {(['next_open', 'next_marked'] as const).map((name) => {
        const index = next[name];
        if (index === undefined || index === run.index) return null;
        return (
          <Button
            key={name}
            variant="secondary"
            data-color="neutral"
            data-size="sm"
            onClick={() => run.goTo(index)}
          >
            {t(`practice.${name}`)}
          </Button>
        );
      })}
    </div>
  );
}

type HandInDialogProps = {
  run: QuizRunState;
  questions: { uuid: string }[];
  marked: ReadonlySet<string>;
  open: boolean;
  onClose: () => void;
};

/** Asks before handing in, only if a question is unanswered or marked. */
export function HandInDialog({ run, questions, marked, open, onClose }: HandInDialogProps) {
  const { t } = useTranslation('learner');
  const missing = run.total - run.answered;

  function goTo(isWanted: (question: { uuid: string }) => boolean) {
    onClose();
    // Starts at the first question.
    const index = nextWanted(questions, questions.length - 1, isWanted);
    if (index !== undefined) run.goTo(index);
  }

  return (
    <AppDialog open={open} title={t('run.hand_in_title')} onClose={onClose}>
      {missing > 0 && <p>{t('run.hand_in_missing', { count: missing })}</p>}
      {marked.size > 0 && <p>{t('practice.hand_in_marked', { count: marked.size })}</p>}
      <DialogActions>
        {missing > 0 && (
          <Button onClick={() => goTo(({ uuid }) => !run.answers[uuid]?.answer)}>
            {t('run.hand_in_stay')}
          </Button>
        )}
        {marked.size > 0 && (
          <Button
            variant={missing > 0 ? 'secondary' : 'primary'}
            onClick={() => goTo(({ uuid }) => marked.has(uuid))}
          >
            {t('practice.hand_in_to_marked')}
          </Button>
        )}
        <Button
          variant="secondary"
          onClick={() => {
            onClose();
            void run.finish();
          }}
        >
          {t('run.hand_in')}
        </Button>
      </DialogActions>
    </AppDialog>
  );
}

type MarkButtonProps = { n: number; marked: boolean; onToggle: () => void };

/** Marks the question. The change is announced, because the key M works from anywhere. */
export function MarkButton({ n, marked, onToggle }: MarkButtonProps) {
  const { t } = useTranslation('learner');
  const [at, setAt] = useState({ n, marked });
  const [said, setSaid] = useState('');
  if (at.n !== n || at.marked !== marked) {
    setAt({ n, marked });
    const text = t(marked ? 'practice.announce_marked' : 'practice.announce_unmarked', { n });
    setSaid(at.n === n ? text : '');
  }
  const Icon = marked ? BookmarkFillIcon : BookmarkIcon;
  return (
    <div className={styles.marking}>
      <Button
        variant="tertiary"
        data-color="accent"
        data-size="sm"
        aria-pressed={marked}
        className={styles.mark}
        onClick={onToggle}
      >
        <Icon aria-hidden />
        {t('practice.mark')}
      </Button>
      <p role="status" className="ds-sr-only">
        {said}
      </p>
    </div>
  );
}

/**
 * Shown when the time is up: the answers are being sent, and the result follows automatically. The dialog
 * cannot be closed, because there is nothing to go back to.
 */
export function TimeUpDialog({ run, open }: { run: QuizRunState; open: boolean }) {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const { saving, finishing, end } = run;
  const failure = finishing ? undefined : (run.refusal ?? end.error);
  return (
    <AppDialog open={open} title={t('practice.up_title')}>
      <p role="status">
        {saving.problem
          ? t('practice.up_offline')
          : `${t('practice.up_text')} ${t('practice.up_sending')}`}
      </p>
      {saving.problem?.stopped && <p>{errorText(saving.problem.error)}</p>}
      <FormAlert>{failure ? errorText(failure) : null}</FormAlert>
      <DialogActions>
        {saving.problem && finishing && !saving.problem.setByService && (
          <Button onClick={saving.retry}>{t('saving.try_now')}</Button>
        )}
        {failure && (
          <Button onClick={() => void run.finish()}>{t('translation:actions.retry')}</Button>
        )}
        {(failure || saving.problem) && (
          <ButtonLink to="/quiz" variant="secondary">
            {t('translation:actions.to_quiz_home')}
          </ButtonLink>
        )}
      </DialogActions>
    </AppDialog>
  );
}
