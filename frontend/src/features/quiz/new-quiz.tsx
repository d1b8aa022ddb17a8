import type { ProgressResponse, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '#components/form-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusText } from '#lib/error-text.ts';
import { getSession } from '#lib/session.ts';
import { type OpenQuiz, openQuizzesQuery, progressQuery } from './api.ts';
import { ExitDialog, useExitQuiz } from './exit-quiz.tsx';
import styles from './home.module.css';
import { PractiseButtons } from './practise-buttons.tsx';
import { PracticeTestCard, TopicDrillCard } from './start-cards.tsx';
import { OpenQuizRow, StartFailure, useStartQuiz } from './start-quiz.tsx';
import { PRACTICE_TEST } from './topic-label.ts';
import { readUnsent } from './unsent-answers.ts';

type NewQuizProps = {
  /** The topic and language to drill that a link asked for. */
  topic?: string | undefined;
  language?: string | undefined;
  /** Who has no access may not start any: it is said, and this leads to more of it. */
  access?: ReactNode;
};

/** The ways to start a quiz. */
export function NewQuiz({ topic, language, access }: NewQuizProps) {
  const { t } = useTranslation(['translation', 'learner']);
  const open = useQuery(openQuizzesQuery);
  const progress = useQuery(progressQuery);
  const { start, retry, starting, error } = useStartQuiz<
    'test' | 'drill' | 'mistakes' | 'weakest'
  >();
  const disabled = starting !== undefined;

  // After a sign-in on this page nothing is loaded yet, and these stand above the cards: wait for them,
  // but not for one that failed.
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
      <OpenQuizzes />
      {access ? (
        <p className={styles.noAccess}>{t('learner:quiz.no_access')}</p>
      ) : (
        <PractiseOffers progress={progress.data} starting={starting} onStart={start} />
      )}
      {topic !== undefined && drillCard}
      <PracticeTestCard
        isSecond={topic !== undefined}
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
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: 'mistakes' | 'weakest') => void;
};

/** On the home screen: what is most worth practising, once there is something to go by. */
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

/** The way back into the quizzes that were left: by a crash, the Back button or another device. */
function OpenQuizzes() {
  const { t } = useTranslation('learner');
  const statusText = useStatusText();
  const { data, dataUpdatedAt } = useQuery(openQuizzesQuery);
  const [asked, setAsked] = useState<OpenQuiz>();
  const cancel = useExitQuiz(() => setAsked(undefined));

  const quizzes = data?.quizzes.filter(isWorthGoingOn) ?? [];
  if (quizzes.length === 0) return null;
  return (
    <section className={styles.open} aria-labelledby="open-title">
      <h2 id="open-title">{t('quiz.open_title', { count: quizzes.length })}</h2>
      <FormAlert>
        {cancel.isError && t('quiz.failed.cancel', { status: statusText(cancel.error) })}
      </FormAlert>
      <ul className={styles.list}>
        {quizzes.map((quiz) => (
          <OpenQuizRow
            key={quiz.id}
            quiz={quiz}
            readAt={dataUpdatedAt}
            disabled={cancel.isPending}
            onExit={() => (quiz.answered > 0 ? setAsked(quiz) : cancel.mutate(quiz))}
          />
        ))}
      </ul>
      <ExitDialog
        open={asked !== undefined}
        answered={asked?.answered ?? 0}
        total={asked?.questions ?? 0}
        busy={cancel.isPending}
        onExit={() => asked && cancel.mutate(asked)}
        onClose={() => setAsked(undefined)}
      />
    </section>
  );
}

/** A drill that was opened and left at once is nothing to go on with: a new one is as good. */
function isWorthGoingOn({ id, topic, answered }: OpenQuiz): boolean {
  if (answered > 0 || topic === PRACTICE_TEST) return true;
  const { answers, handIn } = readUnsent({ uid: getSession().user?.uid ?? '', quizId: id });
  return handIn || Object.keys(answers).length > 0;
}
