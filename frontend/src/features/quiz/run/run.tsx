// Over 400 lines: the page of a quiz reads from top to bottom, from its frame to one option.
import '#theme/components.css';
import { Button } from '@digdir/designsystemet-react';
import { CheckmarkCircleFillIcon, XMarkIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import { languageTag } from '@proveklar/contract/language.ts';
import type { QuizQuestion, QuizSession } from '@proveklar/contract/quiz.ts';
import { useLoaderData } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { BrandMark } from '#components/brand-mark.tsx';
import { ButtonLink } from '#components/link.tsx';
import { MessagePage } from '#components/page.tsx';
import { textIn } from '#lib/question-language.ts';
import { getSession } from '#lib/session.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import { LanguageOfQuestion } from '../coverage.tsx';
import { ExitDialog } from '../exit-quiz.tsx';
import { GlossaryText, OptionWords, QuestionText, type WordHelp } from '../glossary.tsx';
import { optionLetter } from '../option-letter.ts';
import { lookOf, type OptionLook, Picture, usePictureAhead } from '../picture.tsx';
import { ReadQuestion, useSilenceAfter } from '../read-aloud.tsx';
import { reasonOf } from '../reasons.tsx';
import { ReportButton, ReportDialog } from '../report.tsx';
import { isTopic, topicLabel } from '../topic-label.ts';
import { forgetUnsent } from '../unsent-answers.ts';
import { AnswerSheet, Feedback, LastQuestion } from './feedback.tsx';
import { useMarks } from './marks.ts';
import {
  HandInDialog,
  MarkButton,
  QuestionMap,
  RunClock,
  TimeUpDialog,
  useTestEnd,
} from './practice-test.tsx';
import { RunFoot, RunSettings, useQuizKeys } from './run-actions.tsx';
import controls from './run-controls.module.css';
import styles from './run.module.css';
import { RunFailures, SaveStatus } from './saving.tsx';
import { type QuizRunState, type RunnableQuiz, useOwnQuiz, useQuizRun } from './use-quiz-run.ts';

/** A learner's own quiz. */
export function RunPage() {
  const session = useLoaderData({ from: '/identified/signed-in/quiz/$id' });
  if (session.state === 'cancelled') return <CancelledQuiz session={session} />;
  return <OwnQuizRun key={session.id} session={session} />;
}

/** It takes no more answers. A quiz that has ended first shows which came too late, and forgets them then. */
function CancelledQuiz({ session: { id, exam } }: { session: QuizSession }) {
  const { t } = useTranslation('learner');
  useEffect(() => forgetUnsent({ uid: getSession().user?.uid ?? '', quizId: id }), [id]);
  return (
    <MessagePage
      title={t(exam ? 'run.cancelled_test_title' : 'run.cancelled_title')}
      text={t(exam ? 'run.cancelled_test_text' : 'run.cancelled_text')}
    >
      <ButtonLink to="/quiz">{t(exam ? 'result.again_test' : 'result.again')}</ButtonLink>
    </MessagePage>
  );
}

function OwnQuizRun({ session }: { session: QuizSession }) {
  return <QuizRun session={session} quiz={useOwnQuiz(session)} />;
}

type QuizRunProps = {
  session: QuizSession;
  quiz: RunnableQuiz;
  /** The choice of a language, until the first answer. */
  languages?: ReactNode;
};

/** A quiz, question by question. */
export function QuizRun({ session, quiz, languages }: QuizRunProps) {
  const { t } = useTranslation('learner');
  const [dialog, setDialog] = useState<'exit' | 'hand-in'>();
  const [reported, setReported] = useState<QuizQuestion>();
  const [isTimeUp, setTimeUp] = useState(false);
  const run = useQuizRun(session, quiz, { paused: dialog !== undefined || reported !== undefined });
  const { lastRead } = run.saving;
  const endsAt = useTestEnd(session, lastRead);
  const marks = useMarks(session, quiz, lastRead);
  const { question, index } = run;
  const onPhone = useOnPhone();
  useDocumentTitle(t('run.counter', { n: index + 1, total: run.total }));
  usePictureAhead(session.questions[index + 1]);
  useSilenceAfter(question.uuid, run.given?.answer, dialog, reported?.uuid, String(isTimeUp));

  const close = () => setDialog(undefined);
  function finish() {
    const isUnsure = run.answered < run.total || marks.marked.size > 0;
    if (run.isTest && isUnsure) setDialog('hand-in');
    else void run.finish();
  }
  const { canGoOn, advancedFrom } = run;
  const isKnown = run.given?.result?.correct_answer !== undefined;
  const help: WordHelp = run.isTest ? 'none' : isKnown ? 'all' : 'safe';
  // Before the answer there is no advance to hold.
  const onWord = isKnown ? run.holdForReading : undefined;

  /** A press in the moment of an automatic advance means the question that was shown before it. */
  function report() {
    setReported(run.guarded === 'everything' ? (advancedFrom ?? question) : question);
  }

  function handInAtEnd() {
    close();
    setTimeUp(true);
    if (!run.finishing) void run.finish();
  }

  function goOn(byPointer = false) {
    if (run.refusesNext(byPointer)) return;
    if (run.isLast) finish();
    else run.next();
  }

  const keys = useQuizKeys({
    options: question.options,
    onOption: run.choose,
    onNext: () => canGoOn && goOn(),
    onMark: marks.takesMarks ? () => marks.toggle(question.uuid) : undefined,
  });

  const place = <QuestionPlace run={run} previous={session.questions[index - 1]} />;
  const aside = (
    <>
      <SaveStatus run={run} />
      {run.takesReports && <ReportButton onClick={report} />}
    </>
  );
  // One row with the map leaves a phone's screen to the question.
  const inOneRow = onPhone && run.isTest;
  const map = run.isTest && (
    <QuestionMap
      // The key closes it at the next question, which it would hide.
      key={onPhone ? question.uuid : 'beside'}
      run={run}
      questions={session.questions}
      marked={marks.marked}
      onHandIn={finish}
      place={inOneRow ? place : undefined}
    >
      {inOneRow && aside}
    </QuestionMap>
  );

  return (
    <div className={styles.page} data-test={run.isTest || undefined}>
      <RunHeader
        topic={topicLabel(session.topic, t)}
        isTest={run.isTest}
        language={isTopic(session.topic) ? session.language : undefined}
        answered={run.answered}
        total={run.total}
        onExit={() => (run.answered > 0 ? setDialog('exit') : run.cancel.mutate())}
      >
        {endsAt !== undefined && <RunClock endsAt={endsAt} onTimeUp={handInAtEnd} />}
      </RunHeader>
      <main id="content" tabIndex={-1} className={styles.main}>
        {/* Below the question it would lie half under the bar of a phone. */}
        {onPhone && map}
        <div className={styles.sheet}>
          {!inOneRow && (
            <div className={styles.above}>
              {place}
              {/* Its room stays, so that nothing moves at the answer. */}
              {languages && index === 0 && (
                <div className={styles.languages}>{run.answered === 0 && languages}</div>
              )}
              {aside}
            </div>
          )}
          <LastQuestion run={run} onReport={() => setReported(advancedFrom)} />
          <QuestionHeading key={question.uuid} question={question} describedBy={QUESTION_PLACE}>
            <QuestionText question={question} help={help} onOpen={onWord} />
          </QuestionHeading>
          <LanguageOfQuestion session={session} question={question} />
          <ReadQuestion question={question} />
          <Picture
            key={`picture of ${question.uuid}`}
            picture={question}
            options={question.options}
            look={(option) => lookOf(option, toKnown(run))}
            locked={isLocked(run)}
            onChoose={run.choose}
          />
          <OptionList run={run} />
          <OptionWords question={question} help={help} onOpen={onWord} />
          {marks.takesMarks && (
            <MarkButton
              n={index + 1}
              marked={marks.marked.has(question.uuid)}
              onToggle={() => marks.toggle(question.uuid)}
            />
          )}
          <Feedback run={run}>
            <RunFailures run={run} />
          </Feedback>
          <RunSettings run={run} keys={keys} />
        </div>
        {!onPhone && map}
        <RunFoot run={run} canGoOn={canGoOn} onGoOn={goOn} onFinish={finish}>
          <AnswerSheet run={run} quizId={session.id} />
        </RunFoot>
      </main>
      <ExitDialog
        open={dialog === 'exit'}
        isTest={run.isTest}
        answered={run.answered}
        total={run.total}
        later={quiz.isStored ? { clock: endsAt !== undefined } : undefined}
        busy={run.cancel.isPending}
        onExit={() => run.cancel.mutate(undefined, { onError: close })}
        onHandIn={run.isTest ? () => setDialog('hand-in') : undefined}
        onClose={close}
      />
      <HandInDialog
        run={run}
        questions={session.questions}
        marked={marks.marked}
        open={dialog === 'hand-in'}
        onClose={close}
      />
      <TimeUpDialog run={run} open={isTimeUp} />
      <ReportDialog question={reported} onClose={() => setReported(undefined)} />
    </div>
  );
}

/** As in the style sheets: the width at which the buttons are a bar at the bottom of the screen. */
const PHONE = '(max-width: 48rem)';

function subscribe(onChange: () => void) {
  const query = matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

const useOnPhone = () => useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches);

type RunHeaderProps = {
  topic: string;
  isTest: boolean;
  /** Of the topic; undefined if it is in that of the screen. */
  language: string | undefined;
  answered: number;
  total: number;
  onExit: () => void;
  /** The clock of a test with a time limit. */
  children?: ReactNode;
};

function RunHeader(props: RunHeaderProps) {
  const { topic, isTest, language, answered, total, onExit, children } = props;
  const { t } = useTranslation('learner');
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <BrandMark size={28} />
        <span className={styles.topic} {...(language !== undefined && textIn(language))}>
          {topic}
        </span>
        {children}
        <Button
          icon
          variant="tertiary"
          data-color="neutral"
          aria-label={t(isTest ? 'run.exit_test' : 'run.exit')}
          onClick={onExit}
        >
          <XMarkIcon aria-hidden />
        </Button>
      </div>
      <div
        role="progressbar"
        aria-label={t('run.progress')}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={answered}
        aria-valuetext={t('run.map_count', { n: answered, total })}
        className={styles.progress}
      >
        <div className={styles.done} style={{ width: `${(answered / total) * 100}%` }} />
      </div>
    </header>
  );
}

/** The ids that describe `QuestionHeading`. */
const QUESTION_PLACE = 'question-place how-it-went';

type QuestionPlaceProps = { run: QuizRunState; previous: { uuid: string } | undefined };

/**
 * The progress of the quiz. After an automatic advance, the new focus interrupts the announcement of right or
 * wrong, so the next question repeats it for screen readers.
 */
function QuestionPlace({ run, previous }: QuestionPlaceProps) {
  const { t } = useTranslation('learner');
  const isNew = run.autoAdvance && !run.given;
  const given = previous && isNew ? run.answers[previous.uuid] : undefined;
  const correct = given?.fresh ? given.result?.correct : undefined;
  return (
    <span className={styles.counter}>
      <span id="question-place">{t('run.counter', { n: run.index + 1, total: run.total })}</span>
      <span id="how-it-went" hidden>
        {correct === true && t('run.announce_previous_right')}
        {correct === false &&
          `${t('run.announce_previous_wrong')} ${given?.result?.correct_answer}`}
      </span>
    </span>
  );
}

type QuestionHeadingProps = {
  question: QuizQuestion;
  /** The ids of the progress, which is read after the question. */
  describedBy: string;
  /** Its text. */
  children: ReactNode;
};

/** Render it with the question as key: a new question then takes the focus, and is read aloud. */
function QuestionHeading({ question, describedBy, children }: QuestionHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={styles.question}
      aria-describedby={describedBy}
      {...textIn(question.language)}
    >
      {children}
    </h1>
  );
}

const toKnown = ({ given }: QuizRunState) => ({
  answer: given?.answer,
  key: given?.result?.correct_answer,
});

const isLocked = ({ guarded, isTest, given }: QuizRunState) =>
  guarded === 'everything' || (!isTest && given !== undefined);

function OptionList({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const { question, given, guarded } = run;
  const known = toKnown(run);
  const id = useId();

  return (
    <div
      role="group"
      aria-label={t('run.options')}
      className={controls.options}
      data-guarded={guarded}
      {...textIn(question.language)}
    >
      {question.options.map((option, number) => {
        const reason = reasonOf(given?.result?.reasons, option);
        const letter = optionLetter(number);
        return (
          // The next question's options take over these: removing the one that was tapped, and so has the focus, costs
          // a slow phone a fifth of the time until the next question is there.
          <div key={letter} className={controls.choice}>
            <OptionButton
              letter={letter}
              text={option}
              look={lookOf(option, known)}
              reasonId={reason && `${id}-${number}`}
              locked={isLocked(run)}
              onChoose={(byPointer) => run.choose(option, byPointer)}
            />
            {reason && (
              <p id={`${id}-${number}`} className={controls.reason}>
                <GlossaryText
                  text={reason}
                  language={question.language}
                  onOpen={run.holdForReading}
                />
              </p>
            )}
          </div>
        );
      })}
    </div>
  );
}

type OptionButtonProps = {
  letter: string;
  text: string;
  look: OptionLook;
  /** The id of the text that says why it is wrong. */
  reasonId: string | undefined;
  locked: boolean;
  onChoose: (byPointer: boolean) => void;
};

/**
 * A button and not a radio: choosing answers at once, which arrow keys in a radio group would do
 * by accident. Locked ones stay focusable, so that the keyboard does not lose its place.
 */
function OptionButton({ letter, text, look, reasonId, locked, onChoose }: OptionButtonProps) {
  const { t, i18n } = useTranslation('learner');
  const judged = look === 'right' || look === 'key' || look === 'wrong';
  const Icon = look === 'wrong' ? XMarkOctagonFillIcon : CheckmarkCircleFillIcon;
  const picked = look === 'chosen' || look === 'right' || look === 'wrong';
  return (
    <button
      type="button"
      className={controls.option}
      data-look={look}
      aria-pressed={picked}
      aria-describedby={reasonId}
      aria-disabled={locked || undefined}
      // A click by key or by a screen reader has the `detail` 0.
      onClick={(event) => onChoose(event.detail > 0)}
    >
      <span className={controls.letter}>{letter}</span>
      <span>{text}</span>
      {judged && (
        <span className={controls.verdict} lang={languageTag(i18n.language)} dir="ltr">
          <Icon aria-hidden />
          <span className={controls.verdictText}>
            {t(
              look === 'wrong'
                ? 'run.wrong'
                : look === 'right'
                  ? 'run.right'
                  : 'run.correct_answer',
            )}
          </span>
        </span>
      )}
    </button>
  );
}
