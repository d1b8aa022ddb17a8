import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { PRACTICE_TEST, TODAY } from '@proveklar/contract/quiz-topics.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusAdvice } from '#lib/error-text.ts';
import { getSession } from '#lib/session.ts';
import { type OpenQuiz, openQuizzesQuery, progressQuery } from './api.ts';
import { useDrillLanguage } from './drill-choices.ts';
import { ExitDialog, useExitQuiz } from './exit-quiz.tsx';
import styles from './home.module.css';
import { useLearning } from './learning/api.ts';
import { isToday, todaysState } from './learning/learning-figures.ts';
import { TodayCard } from './learning/today-card.tsx';
import { TopicTiles } from './learning/topic-tiles.tsx';
import type { MistakesWay } from './mistake-sets.tsx';
import { useExam } from './practice-choices.tsx';
import { PractiseButtons } from './practise-buttons.tsx';
import { PracticeTestCard, TopicDrillCard } from './start-cards.tsx';
import { OpenQuizRow, StartFailure, useStartQuiz } from './start-quiz.tsx';
import { readUnsent } from './unsent-answers.ts';

type NewQuizProps = {
  /** The topic and language of a drill that a link asked for. */
  topic?: string | undefined;
  language?: string | undefined;
  /** For a learner without access: the link to buy it, in place of the start buttons. */
  access?: ReactNode;
};

/** The ways to start a quiz. */
export function NewQuiz({ topic, language, access }: NewQuizProps) {
  const { t } = useTranslation(['translation', 'learner']);
  const open = useQuery(openQuizzesQuery);
  const progress = useQuery(progressQuery);
  const [drillLanguage] = useDrillLanguage();
  const { data: learning } = useLearning(drillLanguage);
  const { start, retry, starting, error } = useStartQuiz<
    'today' | 'step' | 'test' | 'drill' | MistakesWay | 'weakest' | `topic:${string}`
  >();
  const exam = useExam();
  const disabled = starting !== undefined;
  const openQuizzes = open.data?.quizzes.filter(isWorthGoingOn) ?? [];
  const current = openQuizzes.filter((quiz) => !isOfEarlierDay(quiz));

  // After a sign-in on this page nothing is loaded yet. These are above the cards, so the page waits for
  // them, but not after a failure.
  if ([open, progress].some(({ isPending, failureCount }) => isPending && failureCount === 0)) {
    return <SkeletonLines label={t('app.loading')} lines={8} />;
  }
  const drillCard = (
    <TopicDrillCard
      key={`${language}:${topic}`}
      preselected={{ topic, language }}
      access={access}
      busy={starting === 'drill'}
      disabled={disabled}
      onStart={(request) => start(request, 'drill')}
    />
  );
  return (
    <div className={styles.quizzes}>
      <StartFailure error={error} onRetry={retry} />
      <OpenQuizzes quizzes={current} readAt={open.dataUpdatedAt} />
      <TodayCard
        chosen={exam}
        isSecond={topic !== undefined || current.length > 0}
        access={access}
        starting={starting}
        onStart={start}
      />
      {access ? (
        <p className={styles.noAccess}>{t('learner:quiz.no_access')}</p>
      ) : (
        <PractiseOffers
          progress={progress.data}
          hasStep={Boolean(learning?.next_step)}
          starting={starting}
          onStart={start}
        />
      )}
      <OpenQuizzes
        isSecond
        quizzes={openQuizzes.filter(isOfEarlierDay)}
        readAt={open.dataUpdatedAt}
      />
      {topic !== undefined && drillCard}
      {learning && (
        <TopicTiles
          learning={learning}
          starting={starting?.startsWith('topic:') ? starting.slice('topic:'.length) : undefined}
          disabled={disabled}
          onStart={access ? undefined : (request, name) => start(request, `topic:${name}`)}
        >
          {progress.data && progress.data.topics.length > 0 && (
            <Link to="/quiz/progress" className="ds-link tap">
              {t('learner:progress.show')}
            </Link>
          )}
        </TopicTiles>
      )}
      <PracticeTestCard
        chosen={exam}
        isSecond={
          topic !== undefined ||
          current.length > 0 ||
          !learning ||
          todaysState(learning) !== 'finished'
        }
        access={access}
        busy={starting === 'test'}
        disabled={disabled}
        onStart={(request) => start(request, 'test')}
      />
      {topic === undefined && drillCard}
    </div>
  );
}

type PractiseOffersProps = {
  progress: ProgressResponse | undefined;
  hasStep: boolean;
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: MistakesWay | 'weakest') => void;
};

/** Offers the most useful practice, once there is some progress. */
function PractiseOffers({ progress, ...starting }: PractiseOffersProps) {
  const { t } = useTranslation('learner');
  if (!progress || (progress.mistakes === 0 && progress.weakest === null)) return null;
  return (
    <section className={styles.offers} aria-labelledby="practise-more-title">
      <h2 id="practise-more-title">{t('progress.next')}</h2>
      <PractiseButtons progress={progress} {...starting} />
    </section>
  );
}

type OpenQuizzesProps = {
  quizzes: readonly OpenQuiz[];
  readAt: number;
  /** Whether another card is the main action. */
  isSecond?: boolean;
};

/** The open quizzes, which were left by a crash, the Back button or on another device. */
function OpenQuizzes({ quizzes, readAt, isSecond = false }: OpenQuizzesProps) {
  const { t } = useTranslation('learner');
  const statusAdvice = useStatusAdvice();
  const [leaving, setLeaving] = useState<OpenQuiz>();
  const cancel = useExitQuiz(() => setLeaving(undefined));
  const id = useId();

  if (quizzes.length === 0) return null;
  return (
    <section className={styles.open} aria-labelledby={id}>
      <h2 id={id}>{t('quiz.open_title', { count: quizzes.length })}</h2>
      <FormAlert>
        {cancel.isError && t('quiz.failed.cancel', { status: statusAdvice(cancel.error) })}
      </FormAlert>
      <ul className={styles.list}>
        {quizzes.map((quiz) => (
          <OpenQuizRow
            key={quiz.id}
            quiz={quiz}
            readAt={readAt}
            isSecond={isSecond}
            disabled={cancel.isPending}
            onExit={() => (quiz.answered > 0 ? setLeaving(quiz) : cancel.mutate(quiz))}
          />
        ))}
      </ul>
      <ExitDialog
        open={leaving !== undefined}
        isTest={leaving?.topic === PRACTICE_TEST}
        answered={leaving?.answered ?? 0}
        total={leaving?.questions ?? 0}
        busy={cancel.isPending}
        onExit={() => leaving && cancel.mutate(leaving)}
        onClose={() => setLeaving(undefined)}
      />
    </section>
  );
}

/** A set of an earlier day stands below today's, which has what is due now. */
const isOfEarlierDay = ({ topic, started_at }: OpenQuiz): boolean =>
  topic === TODAY && !isToday(started_at);

/** A drill without answers is not listed: a new one is as good. */
function isWorthGoingOn({ id, topic, answered }: OpenQuiz): boolean {
  if (answered > 0 || topic === PRACTICE_TEST) return true;
  const { answers, handIn } = readUnsent({ uid: getSession().user?.uid ?? '', quizId: id });
  return handIn || Object.keys(answers).length > 0;
}
