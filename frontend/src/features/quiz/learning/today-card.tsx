import { Button } from '@digdir/designsystemet-react';
import { CalendarIcon } from '@navikt/aksel-icons';
import type { StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { languageInWords, useOfferedLanguages } from '#lib/question-language.ts';
import { progressQuery } from '../api.ts';
import { useDrillLanguage } from '../drill-choices.ts';
import home from '../home.module.css';
import { type ChosenExam, PracticeChoices } from '../practice-choices.tsx';
import cards from '../start-cards.module.css';
import { type Learning, useLearning } from './api.ts';
import { AskOutcome } from './ask-outcome.tsx';
import { GoalBar } from './goal-bar.tsx';
import { isGoalReached, setOf, todaysState } from './learning-figures.ts';
import styles from './learning.module.css';
import { Plan } from './plan.tsx';
import { Readiness } from './readiness.tsx';
import { WrongToday } from './wrong-today.tsx';

type TodayCardProps = {
  chosen: ChosenExam;
  /** Set if a link asked for a drill: then this card is not the main action. */
  isSecond: boolean;
  /** In the place of the buttons, for a learner without access. */
  access?: ReactNode;
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: 'today' | 'step') => void;
};

/** Today's practice: what waits, the day's goal, readiness, and the plan. */
export function TodayCard({ chosen, isSecond, access, starting, onStart }: TodayCardProps) {
  const { t } = useTranslation('learner');
  const [language] = useDrillLanguage();
  const { data, isError, isFetching, refetch } = useLearning(language);
  const disabled = starting !== undefined;
  return (
    <>
      <AskOutcome asked={data?.ask_outcome === true} />
      <TodaySection isLoading={!data && !isError}>
        {!data && isError && (
          <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
            {t('learning.failed')}
          </RetryAlert>
        )}
        {data && todaysState(data) === 'empty' && <p>{t('quiz.topics_empty')}</p>}
        {data && todaysState(data) !== 'empty' && (
          <div className={styles.parts}>
            <div className={styles.part}>
              <PracticeChoices learning={data} chosen={chosen} />
              <PractisedElsewhere language={data.language} />
              <Waiting learning={data} />
              <GoalBar today={data.today} />
              {access && <div className={cards.access}>{access}</div>}
              {!access && todaysState(data) !== 'finished' && (
                <Button
                  className={cards.start}
                  variant={isSecond ? 'secondary' : 'primary'}
                  loading={starting === 'today'}
                  disabled={disabled}
                  onClick={() => onStart(setOf(data.language), 'today')}
                >
                  {t(startText(data))}
                </Button>
              )}
              <Plan learning={data} />
            </div>
            <Readiness
              learning={data}
              busy={starting === 'step'}
              disabled={disabled}
              onStart={access ? undefined : (request) => onStart(request, 'step')}
            />
          </div>
        )}
      </TodaySection>
    </>
  );
}

function startText(learning: Learning) {
  if (isGoalReached(learning)) return 'learning.start_more';
  return learning.today.done > 0 ? 'learning.go_on' : 'learning.start';
}

type TodaySectionProps = { isLoading: boolean; children?: ReactNode };

/** The card with its title, and lines in the place of its content until that is known. */
export function TodaySection({ isLoading, children }: TodaySectionProps) {
  const { t } = useTranslation(['learner', 'translation']);
  return (
    <section
      className={`${home.card} ${styles.today}`}
      data-tone="secondary"
      data-loading={isLoading || undefined}
      aria-labelledby="today-title"
    >
      <div className={home.head}>
        <span className={home.icon}>
          <CalendarIcon aria-hidden />
        </span>
        <h2 id="today-title">{t('quiz.today')}</h2>
        <p>{t('quiz.today_text')}</p>
      </div>
      {isLoading && <SkeletonLines label={t('translation:app.loading')} lines={6} />}
      {children}
    </section>
  );
}

/** What a learner knows is counted by language: who has changed it would think that their progress was lost. */
function PractisedElsewhere({ language }: { language: string }) {
  const { t, i18n } = useTranslation('learner');
  const { data } = useQuery(progressQuery);
  const [, setLanguage] = useDrillLanguage();
  const offered = useOfferedLanguages();
  const metIn = (code: string) =>
    data?.topics.reduce((sum, topic) => sum + (topic.language === code ? topic.met : 0), 0) ?? 0;
  const usual = offered.map(({ code }) => code).toSorted((a, b) => metIn(b) - metIn(a))[0];
  if (usual === undefined || metIn(usual) <= metIn(language)) return null;
  const words = {
    language: languageInWords(language, i18n.language),
    usual: languageInWords(usual, i18n.language),
  };
  return (
    <div className={styles.step}>
      <p>{t('learning.other_language', words)}</p>
      <Button variant="secondary" data-size="sm" onClick={() => setLanguage(usual)}>
        {t('learning.practise_in', words)}
      </Button>
    </div>
  );
}

/** What waits today, and the days in a row. */
function Waiting({ learning }: { learning: Learning }) {
  const { t } = useTranslation('learner');
  const { today, streak, topics } = learning;
  const state = todaysState(learning);

  function waiting() {
    if (state === 'finished') return t('learning.finished_text');
    // Not all that was wrong today comes back today: numbers beside that of the mistakes would have to be explained.
    if (state === 'repeat' && today.wrong_today > 0) {
      return t(today.new > 0 ? 'learning.waiting_mixed' : 'learning.waiting_review');
    }
    if (state === 'repeat' && today.new > 0) {
      return t('learning.waiting_both', { due: today.due, count: today.new });
    }
    if (state === 'repeat') return t('learning.waiting_due', { count: today.due });
    // Beyond the goal no number of new questions waits.
    if (today.new === 0) return t('learning.nothing_due');
    const isBeginner = topics.every(({ known }) => known === 0);
    if (isBeginner) return t('learning.waiting_new', { count: today.new });
    return t('learning.nothing_due_new', { count: today.new });
  }
  return (
    <>
      {state === 'finished' && <p className={styles.chance}>{t('learning.finished')}</p>}
      {state !== 'finished' && isGoalReached(learning) && (
        <p className={styles.chance}>{t('learning.goal_reached')}</p>
      )}
      <p>{waiting()}</p>
      <WrongToday today={today} />
      {streak.days > 1 && <Streak streak={streak} />}
    </>
  );
}

/** The days in a row, with what a missed day does to them. With one between them, they are not called "in a row". */
function Streak({ streak }: Pick<Learning, 'streak'>) {
  const { t } = useTranslation('learner');
  const days = streak.forgiven_used > 0 ? 'streak_with_gap' : 'streak';
  return (
    <div>
      <p className={styles.streak}>{t(`learning.${days}`, { count: streak.days })}</p>
      <details className={styles.more}>
        <summary>{t('learning.streak_about')}</summary>
        <p>
          {t('learning.streak_rule')}{' '}
          {streak.forgiven_used > 0 &&
            t('learning.streak_forgiven', { count: streak.forgiven_used })}
        </p>
      </details>
    </div>
  );
}
