import { Button } from '@digdir/designsystemet-react';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { ApiError } from '#lib/api-error.ts';
import { configQuery } from '#lib/config.ts';
import { useErrorText, useStatusAdvice, useStatusText } from '#lib/error-text.ts';
import { formatDateTime } from '#lib/format.ts';
import { getSession, identity } from '#lib/session.ts';
import { type OpenQuiz, quizKeys, quizQuery, startQuiz } from './api.ts';
import { useExitQuiz } from './exit-quiz.tsx';
import styles from './home.module.css';
import { keepBefore } from './learning/before-set.ts';
import { topicLabel } from './topic-label.ts';
import { readUnsent } from './unsent-answers.ts';

/**
 * Starts a quiz and navigates to it. Of several ways to start one, `starting` names the current one; `retry`
 * repeats the one that failed.
 */
export function useStartQuiz<Way extends string>() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  // The mutation's state is updated too late for a second, very fast click.
  const underWay = useRef(false);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: ({ request }: { request: StartQuizRequest; way: Way }) => startQuiz(request),
    onSuccess: (session) => {
      queryClient.setQueryData(quizQuery(session.id).queryKey, session);
      keepBefore(queryClient, session);
      return navigate({ to: '/quiz/$id', params: { id: session.id } });
    },
    onError: (failed) => {
      if (!(failed instanceof ApiError)) return;
      // The language was withdrawn since this page read the list.
      if (failed.code === 'language_not_offered') {
        void queryClient.invalidateQueries({ queryKey: configQuery.queryKey });
      }
      // What was left for today has been answered elsewhere.
      if (failed.code === 'topic_unknown') {
        void queryClient.invalidateQueries({ queryKey: quizKeys.lists() });
      }
    },
    onSettled: () => {
      underWay.current = false;
    },
  });
  function start(request: StartQuizRequest, way: Way) {
    if (underWay.current) return;
    underWay.current = true;
    mutate({ request, way });
  }
  function retry() {
    if (variables) start(variables.request, variables.way);
  }
  return { start, retry, starting: isPending ? variables.way : undefined, error };
}

type StartFailureProps = {
  error: Error | null;
  /** Starts the same quiz once there is room for it. */
  onRetry: () => void;
};

/** Why no quiz was started. */
export function StartFailure({ error, onRetry }: StartFailureProps) {
  const { t } = useTranslation(['learner', 'translation']);
  const statusText = useStatusText();
  const statusAdvice = useStatusAdvice();
  const errorText = useErrorText();
  const status = error instanceof ApiError ? error.status : undefined;
  // A learner without access is sent to the payment instead of an error.
  if (!error || status === 402) return null;
  if (error instanceof ApiError && error.code === 'too_many_open') {
    return <TooManyOpen error={error} onRoom={onRetry} />;
  }
  const seconds = status === 429 && error instanceof ApiError ? error.retryAfterS : undefined;
  const startFailed = (advice: string | number | undefined) =>
    advice
      ? `${t('quiz.failed.start', { status: statusText(error) })}. ${advice}`
      : t('quiz.failed.start', { status: statusAdvice(error) });
  return (
    <div className={styles.failure}>
      <FormAlert>
        {status === 401 ? (
          <div className={styles.signedOut}>
            {t('quiz.failed.not_signed_in')}
            <Button
              variant="secondary"
              data-size="sm"
              // Signed out, this page shows the sign-in form.
              onClick={() => void identity().then((provider) => provider.signOut())}
            >
              {t('translation:actions.sign_in')}
            </Button>
          </div>
        ) : (
          startFailed(
            error instanceof ApiError && error.code === 'language_not_offered'
              ? errorText(error)
              : seconds && t('quiz.failed.start_wait', { count: Math.ceil(seconds / 60) }),
          )
        )}
      </FormAlert>
    </div>
  );
}

type TooManyOpenProps = {
  /** The error `too_many_open`, whose details list the open drills. */
  error: ApiError;
  /** Called when the requested quiz can be started. */
  onRoom: () => void;
};

/** Offers to continue one of the open drills, or to end one and start the requested quiz. */
function TooManyOpen({ error, onRoom }: TooManyOpenProps) {
  const { t } = useTranslation('learner');
  const statusAdvice = useStatusAdvice();
  const [closed, setClosed] = useState<ApiError>();
  const [leaving, setLeaving] = useState<OpenQuiz>();
  const exit = useExitQuiz((failure) => {
    setLeaving(undefined);
    // A drill that was ended elsewhere makes room, too.
    if (!failure || isOver(failure)) onRoom();
  });
  const failed = exit.error && !isOver(exit.error) ? exit.error : null;
  const quizzes = error.details.quizzes as OpenQuiz[];

  const text = useRef<HTMLParagraphElement>(null);
  const wasLeaving = useRef(false);
  useEffect(() => {
    // The pressed button has disappeared; focusing the text makes a screen reader read it.
    if (leaving !== undefined || wasLeaving.current) text.current?.focus();
    wasLeaving.current = leaving !== undefined;
  }, [leaving]);

  return (
    <AppDialog
      open={error !== closed}
      title={leaving ? t('run.exit_title') : t('quiz.open_title', { count: quizzes.length })}
      onClose={() => {
        setLeaving(undefined);
        setClosed(error);
      }}
    >
      <p ref={text} tabIndex={-1} className={styles.focused}>
        {leaving
          ? t('run.exit_text', { n: leaving.answered, total: leaving.questions })
          : t('quiz.too_many_text')}
      </p>
      {leaving ? (
        <DialogActions>
          <Button
            data-color="danger"
            loading={exit.isPending}
            disabled={exit.isPending}
            onClick={() => exit.mutate(leaving)}
          >
            {t('run.exit_confirm')}
          </Button>
          <Button
            variant="secondary"
            disabled={exit.isPending}
            onClick={() => setLeaving(undefined)}
          >
            {t('run.exit_keep')}
          </Button>
        </DialogActions>
      ) : (
        <>
          <FormAlert>
            {failed && t('quiz.failed.cancel', { status: statusAdvice(failed) })}
          </FormAlert>
          <ul className={styles.list}>
            {quizzes.map((quiz) => (
              <OpenQuizRow
                key={quiz.id}
                quiz={quiz}
                readAt={0}
                disabled={false}
                onExit={() => setLeaving(quiz)}
              />
            ))}
          </ul>
        </>
      )}
    </AppDialog>
  );
}

const isOver = (error: Error): boolean =>
  error instanceof ApiError && ['quiz_closed', 'quiz_not_found'].includes(error.code);

type OpenQuizRowProps = {
  quiz: OpenQuiz;
  /** When it was read (milliseconds since 1970); its time has been running since. */
  readAt: number;
  /** Whether another card is the main action. */
  isSecond?: boolean;
  disabled: boolean;
  onExit: () => void;
};

/** An open quiz with its progress, and buttons to continue or end it. */
export function OpenQuizRow(props: OpenQuizRowProps) {
  const { quiz, readAt, isSecond = false, disabled, onExit } = props;
  const { t, i18n } = useTranslation('learner');
  const topic = topicLabel(quiz.topic, t);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <strong className="clamped">{topic}</strong>
        <span>{t('quiz.open_answered', { n: quiz.answered, total: quiz.questions })}</span>
        <time dateTime={quiz.started_at}>
          {t('quiz.open_started', { time: formatDateTime(quiz.started_at, i18n.language) })}
        </time>
        {quiz.seconds_left !== null && <TimeLeft seconds={quiz.seconds_left} readAt={readAt} />}
        <UnsentNote quizId={quiz.id} />
      </div>
      <div className={styles.actions}>
        <ButtonLink
          to="/quiz/$id"
          params={{ id: quiz.id }}
          {...(isSecond ? { variant: 'secondary' } : { 'data-color': 'accent' })}
          aria-label={`${t('quiz.continue')}: ${topic}`}
        >
          {t('quiz.continue')}
        </ButtonLink>
        <Button
          variant="tertiary"
          data-color="neutral"
          aria-label={`${t('quiz.exit')}: ${topic}`}
          disabled={disabled}
          onClick={onExit}
        >
          {t('quiz.exit')}
        </Button>
      </div>
    </li>
  );
}

const UPDATE_INTERVAL_MS = 10_000;

type TimeLeftProps = { seconds: number; readAt: number };

/** The minutes left of a running test. Changes are not announced. */
function TimeLeft({ seconds, readAt }: TimeLeftProps) {
  const { t } = useTranslation('learner');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  const count = Math.ceil((seconds - Math.max(0, now - readAt) / 1000) / 60);
  return (
    <span className={styles.time}>
      {count > 0 ? t('practice.reminder', { count }) : t('practice.up_title')}
    </span>
  );
}

/** Says that this browser has unsent answers of an open quiz, which are sent when it is opened. */
function UnsentNote({ quizId }: { quizId: string }) {
  const { t } = useTranslation('learner');
  const [{ answers, handIn }] = useState(() =>
    readUnsent({ uid: getSession().user?.uid ?? '', quizId }),
  );
  const count = Object.keys(answers).length;
  if (count === 0 && !handIn) return null;
  return (
    <span className={styles.unsent}>
      {handIn ? t('saving.not_handed_in') : t('saving.unsent', { count })}
    </span>
  );
}
