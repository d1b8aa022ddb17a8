import '#theme/components.css';
import { Alert, Button } from '@digdir/designsystemet-react';
import type { QuizSession, StartQuizRequest } from '@proveklar/contract/quiz.ts';
import { ALL_TOPICS, MISTAKES, TODAY } from '@proveklar/contract/quiz-topics.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useLoaderData } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#components/link.tsx';
import { Stack } from '#components/layout.tsx';
import { Page } from '#components/page.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { useStatusAdvice } from '#lib/error-text.ts';
import { formatDate } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import { getSession } from '#lib/session.ts';
import { useLeadTo } from '#lib/use-focus.ts';
import { type EndedQuestion, endedQuestionsQuery, historyQuery, progressQuery } from './api.ts';
import { drillOf, questionCount } from './drill-choices.ts';
import { setOf } from './learning/learning-figures.ts';
import { NextSet, ReadinessChange, SetChanges } from './learning/set-result.tsx';
import { type MistakesWay, MistakeSets } from './mistake-sets.tsx';
import { outcomeOf, resultTone, topicScores } from './outcome.ts';
import { mistakesOf } from './progress-figures.ts';
import { QuestionTranslations } from './question-translation.tsx';
import { ReportDialog } from './report.tsx';
import styles from './result.module.css';
import { ReviewedAnswer } from './reviewed-answer.tsx';
import { StartFailure, useStartQuiz } from './start-quiz.tsx';
import { isTopic, topicLabel } from './topic-label.ts';
import { forgetUnsent, type Owner, readUnsent } from './unsent-answers.ts';
import { ResultVerdict } from './verdict.tsx';

/** The result of a learner's own quiz. */
export function ResultPage() {
  const { t } = useTranslation(['learner', 'translation']);
  const session = useLoaderData({ from: '/identified/signed-in/quiz/$id/result' });
  return (
    <Page
      title={t('result.title')}
      width="text"
      headerActions={
        <ButtonLink to="/quiz" variant="tertiary">
          {t('translation:actions.to_quiz_home')}
        </ButtonLink>
      }
    >
      <QuizResult session={session} />
    </Page>
  );
}

function QuizResult({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const [shown, setShown] = useState(false);
  const outcome = outcomeOf(session);
  const { wrong, unanswered, trial } = outcome;
  const isAnyMissed = wrong.length + unanswered.length > 0;
  const isToday = session.topic === TODAY;
  const isLow = resultTone(session.score ?? 0, session.total) === 'low';
  // Mistakes teach more than another quiz does, and "Practise a little more" must not stand above "Done".
  const leadsToMistakes = isAnyMissed && (!isToday || isLow);
  // One for all: a second click must not start a second quiz.
  const { start, retry, starting, error } = useStartQuiz<'next' | 'again' | MistakesWay>();

  const review = (isAnyMissed || trial.length > 0) && (
    <Button
      variant={leadsToMistakes ? 'primary' : 'secondary'}
      aria-expanded={shown}
      aria-controls="reviewed-answers"
      onClick={() => setShown(!shown)}
    >
      <ReviewLabel shown={shown} {...outcome} />
    </Button>
  );
  const goOn = leadsToMistakes ? 'secondary' : 'primary';
  return (
    <Stack gap={6}>
      <LateAnswers session={session} />
      <section className={styles.card}>
        <Topic of={session} />
        <ResultVerdict session={session} />
        {isToday ? (
          <SetChanges session={session} isLow={isLow} />
        ) : (
          <>
            <SinceLastTime session={session} />
            <ReadinessChange session={session} />
          </>
        )}
        <div className={styles.actions}>
          {leadsToMistakes && review}
          {isToday ? (
            <NextSet
              session={session}
              variant={goOn}
              busy={starting === 'next'}
              disabled={starting !== undefined}
              onStart={() => start(setOf(session.language), 'next')}
            />
          ) : (
            <ButtonLink to="/quiz" variant={goOn}>
              {t(session.exam ? 'result.again_test' : 'result.again')}
            </ButtonLink>
          )}
          {!leadsToMistakes && review}
        </div>
        <StartFailure error={error} onRetry={retry} />
        <DrillAgain session={session} starting={starting} onStart={start} />
      </section>
      <div id="reviewed-answers" hidden={!shown}>
        {shown && (
          <ReviewedAnswers session={session} starting={starting} onStart={start} {...outcome} />
        )}
      </div>
      {session.exam && <TopicResult session={session} />}
    </Stack>
  );
}

/** What the button that opens the reviewed answers says. */
function ReviewLabel(props: { shown: boolean } & ReviewedQuestions) {
  const { shown, wrong, unanswered, trial } = props;
  const { t } = useTranslation('learner');
  if (shown) return t('result.hide_answers');
  if (wrong.length > 0 && unanswered.length > 0) {
    return t('result.show_both', { count: wrong.length, unanswered: unanswered.length });
  }
  if (wrong.length > 0) return t('result.show_wrong', { count: wrong.length });
  if (unanswered.length > 0) return t('result.show_unanswered', { count: unanswered.length });
  return t('result.trial_title', { count: trial.length });
}

/** The score compared with the latest quiz of the same kind before it, if that is among the last twenty. */
function SinceLastTime({ session }: { session: QuizSession }) {
  const { t, i18n } = useTranslation('learner');
  const { data } = useInfiniteQuery(historyQuery);
  const history = data?.pages[0]?.history ?? [];
  const own = history.findIndex(({ id }) => id === session.id);
  const last = history
    .slice(own + 1)
    .find((run) => run.topic === session.topic && run.total_questions === session.total);
  if (own === -1 || !last || session.score === null) return null;
  const change = session.score - last.correct_answers;
  return (
    <p>
      {t('result.last_time', {
        score: last.correct_answers,
        total: last.total_questions,
        date: formatDate(last.completed_at, i18n.language),
      })}{' '}
      {change > 0 && <strong>{t('result.better', { count: change })}</strong>}
      {change === 0 && t('result.same')}
    </p>
  );
}

/** A longer topic, in characters, may need more than three lines on a phone. */
const MAX_SHORT_TOPIC = 90;

/** The topic above the result. A long one is cut to three lines, with a button to show all of it. */
function Topic({ of: { topic, language } }: { of: QuizSession }) {
  const { t } = useTranslation('learner');
  const [whole, setWhole] = useState(false);
  const name = topicLabel(topic, t);
  const ofLanguage = isTopic(topic) ? textIn(language) : {};
  if (name.length <= MAX_SHORT_TOPIC) {
    return (
      <p className={styles.topic} {...ofLanguage}>
        {name}
      </p>
    );
  }
  return (
    <div>
      <p className={`${styles.topic} ${whole ? '' : 'clamped'}`} {...ofLanguage}>
        {name}
      </p>
      <Button
        variant="tertiary"
        data-size="sm"
        aria-expanded={whole}
        onClick={() => setWhole(!whole)}
      >
        {t(whole ? 'result.topic_less' : 'result.topic_whole')}
      </Button>
    </div>
  );
}

/** Says once that answers in this browser came too late for the result. They can no longer be sent. */
function LateAnswers({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const [owner] = useState<Owner>(() => ({
    uid: getSession().user?.uid ?? '',
    quizId: session.id,
  }));
  const [late] = useState(() => {
    const kept = Object.entries(readUnsent(owner).answers);
    // An answer that arrived, but was not acknowledged, is in the result.
    return kept.filter(([uuid, answer]) => session.answers[uuid]?.answer !== answer).length;
  });
  useEffect(() => forgetUnsent(owner), [owner]);
  if (late === 0) return null;
  return (
    <Alert data-color="warning" data-size="sm">
      {t(session.exam ? 'saving.late_test' : 'saving.late', { count: late })}
    </Alert>
  );
}

type StartProps = {
  session: QuizSession;
  /** The quiz that is being started. */
  starting: string | undefined;
  onStart: (request: StartQuizRequest, way: 'again' | MistakesWay) => void;
};

/** A button that repeats the drill, or goes on with the mistakes that are left. */
function DrillAgain({ session, starting, onStart }: StartProps) {
  const { t } = useTranslation('learner');
  const { data: progress } = useQuery(progressQuery);
  const { topic, language, instant_feedback, exam, questions } = session;
  if (exam !== null || topic === TODAY) return null;
  if (topic === MISTAKES) {
    const left = progress && mistakesOf(progress, language).find((of) => of.language === language);
    return left ? (
      <PractiseMistakes
        session={session}
        label={t('progress.practise_mistakes', { n: left.count })}
        starting={starting}
        onStart={onStart}
      />
    ) : null;
  }

  function again() {
    const request = drillOf(topic, language, Math.max(questions.length, questionCount()));
    onStart({ ...request, instant_feedback }, 'again');
  }
  return (
    <div className={styles.actions}>
      <Button
        variant="tertiary"
        loading={starting === 'again'}
        disabled={starting !== undefined}
        onClick={again}
      >
        <span className="clamped">
          {topic === ALL_TOPICS ? t('progress.again_all') : t('progress.again', { topic })}
        </span>
      </Button>
    </div>
  );
}

/** Starts a drill of the mistakes. */
function PractiseMistakes({ session, label, starting, onStart }: StartProps & { label: string }) {
  const { data: progress } = useQuery(progressQuery);
  return (
    <div className={styles.practise}>
      <MistakeSets
        progress={progress}
        language={session.language}
        label={label}
        variant="secondary"
        starting={starting}
        onStart={onStart}
      />
    </div>
  );
}

type Questions = QuizSession['questions'];
type ReviewedQuestions = { wrong: Questions; unanswered: Questions; trial: Questions };

/** The questions to review, with their keys. */
function ReviewedAnswers(props: StartProps & ReviewedQuestions) {
  const { session, starting, onStart, wrong, unanswered, trial } = props;
  const { t } = useTranslation(['learner', 'translation']);
  const statusAdvice = useStatusAdvice();
  const { data, error, isFetching, refetch } = useQuery(endedQuestionsQuery(session.id));
  const first = useLeadTo<HTMLHeadingElement>(data !== undefined);
  const [reported, setReported] = useState<EndedQuestion>();
  const failure = error && (
    <RetryAlert busy={isFetching} onRetry={() => void refetch()}>
      {t('quiz.failed.questions', { status: statusAdvice(error) })}
    </RetryAlert>
  );
  if (!data) {
    return failure ?? <SkeletonLines label={t('translation:app.loading')} lines={5} />;
  }
  const known = new Map(data.questions.map((question) => [question.uuid, question]));
  const list = (questions: Questions) => (
    <ol className={styles.list}>
      {questions.map((shown) => (
        <ReviewedAnswer
          key={shown.uuid}
          id={shown.id}
          question={known.get(shown.uuid)}
          given={session.answers[shown.uuid]?.answer}
          right={session.answers[shown.uuid]?.correct === true}
          translation={<QuestionTranslations quizId={session.id} question={shown} />}
          onReport={setReported}
        />
      ))}
    </ol>
  );
  return (
    <div className={styles.groups}>
      {failure}
      {wrong.length > 0 && (
        <section className={styles.section} aria-labelledby="wrong-title">
          <h2 id="wrong-title" ref={first} tabIndex={-1}>
            {t('result.wrong_title')}
          </h2>
          <PractiseMistakes
            session={session}
            label={t('progress.mistakes')}
            starting={starting}
            onStart={onStart}
          />
          {list(wrong)}
        </section>
      )}
      {unanswered.length > 0 && (
        <section className={styles.section} aria-labelledby="unanswered-title">
          <h2 id="unanswered-title" ref={wrong.length === 0 ? first : undefined} tabIndex={-1}>
            {t('result.unanswered_title', { count: unanswered.length })}
          </h2>
          {list(unanswered)}
        </section>
      )}
      {trial.length > 0 && (
        <section className={styles.section} aria-labelledby="trial-title">
          <h2
            id="trial-title"
            ref={wrong.length + unanswered.length === 0 ? first : undefined}
            tabIndex={-1}
          >
            {t('result.trial_title', { count: trial.length })}
          </h2>
          <p>{t('result.trial_note')}</p>
          {list(trial)}
        </section>
      )}
      <ReportDialog question={reported} onClose={() => setReported(undefined)} />
    </div>
  );
}

/** The result of a practice test by topic, with a link to a drill on each. */
function TopicResult({ session }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  const scores = topicScores(session);
  return (
    <section className={styles.topics} aria-labelledby="topics-title">
      <h2 id="topics-title">{t('practice.topics_title')}</h2>
      <p className="muted">{t('practice.topics_text')}</p>
      <table className={styles.table}>
        <thead className="ds-sr-only">
          <tr>
            <th scope="col">{t('practice.topic')}</th>
            <th scope="col">{t('practice.right_of')}</th>
            <th scope="col">{t('practice.practise')}</th>
          </tr>
        </thead>
        <tbody>
          {scores.map(({ topic, right, total }) => (
            <tr key={topic}>
              <th scope="row" {...textIn(session.language)}>
                <span className="clamped">{topic}</span>
              </th>
              <td className={styles.topicScore}>
                {t('practice.score_of', { score: right, total })}
                {/* The numbers beside it say the same. */}
                <span className={styles.bar} aria-hidden="true">
                  <span style={{ width: `${(right / total) * 100}%` }} />
                </span>
              </td>
              <td className={styles.way}>
                <Link
                  className="ds-link tap"
                  to="/quiz"
                  search={{ topic, language: session.language }}
                  aria-label={t('practice.practise_named', { topic })}
                >
                  {t('practice.practise')}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
