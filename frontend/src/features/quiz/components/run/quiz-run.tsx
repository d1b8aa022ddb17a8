import { Button } from '@digdir/designsystemet-react';
import { BookmarkFillIcon, BookmarkIcon } from '@navikt/aksel-icons';
import type { QuizQuestion, QuizSession } from '@proveklar/contract/quiz.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { textIn } from '#lib/question-language.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import { optionLetter } from '../../quiz-position.ts';
import { useMarks } from '../../marks.ts';
import { useQuizKeys } from '../../run/use-quiz-keys.ts';
import { type QuizRunState, type RunnableQuiz, useQuizRun } from '../../use-quiz-run.ts';
import { useTestEnd } from '../../run/use-test-clock.ts';
import { topicLabel } from '../../topic-label.ts';
import { ExitDialog } from '../exit-dialog.tsx';
import { ReadQuestion } from '../language/read-question.tsx';
import { useSilenceAfter } from '../language/use-read-aloud.ts';
import { ReportButton } from '../report/report-button.tsx';
import { ReportDialog } from '../report/report-dialog.tsx';
import { Feedback } from './feedback.tsx';
import { HandInDialog } from './hand-in-dialog.tsx';
import { OptionButton, type OptionLook } from './option-button.tsx';
import { QuestionMap } from './question-map.tsx';
import styles from './quiz-run.module.css';
import { RunActions } from './run-actions.tsx';
import { RunClock } from './run-clock.tsx';
import { RunFailures } from './run-failures.tsx';
import { RunHeader } from './run-header.tsx';
import { SaveStatus } from './save-status.tsx';

type QuizRunProps = { session: QuizSession; quiz: RunnableQuiz };

/** A quiz, question by question. */
export function QuizRun({ session, quiz }: QuizRunProps) {
  const { t } = useTranslation('learner');
  const [dialog, setDialog] = useState<'exit' | 'hand-in' | 'report'>();
  const [isTimeUp, setTimeUp] = useState(false);
  const run = useQuizRun(session, quiz, { paused: dialog !== undefined });
  const { lastRead } = run.saving;
  const endsAt = useTestEnd(session, lastRead);
  const marks = useMarks(session, quiz, lastRead?.session);
  const { question, index } = run;
  const onPhone = useOnPhone();
  useDocumentTitle(t('run.counter', { n: index + 1, total: run.total }));
  useSilenceAfter(question.uuid, run.given?.answer, dialog, String(isTimeUp));

  const close = () => setDialog(undefined);
  function finish() {
    const isUnsure = run.answered < run.total || marks.marked.size > 0;
    if (run.isTest && isUnsure) setDialog('hand-in');
    else void run.finish();
  }
  const { canGoOn } = run;

  function handInAtEnd() {
    close();
    setTimeUp(true);
    if (!run.finishing) void run.finish();
  }

  function goOn(byPointer = false) {
    if (run.refuses(byPointer)) return;
    if (run.isLast) finish();
    else run.next();
  }

  const keys = useQuizKeys({
    options: question.options,
    onOption: run.choose,
    onNext: () => canGoOn && goOn(),
    onMark: marks.takesMarks ? () => marks.toggle(question.uuid) : undefined,
  });

  const map = run.isTest && (
    <QuestionMap
      // Open above the next question it would hide it.
      key={onPhone ? question.uuid : 'beside'}
      run={run}
      questions={session.questions}
      marked={marks.marked}
      onHandIn={finish}
    />
  );

  return (
    <div className={styles.page} data-test={run.isTest || undefined}>
      <RunHeader
        topic={topicLabel(session.topic, t)}
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
          <div className={styles.above}>
            <QuestionPlace run={run} previous={session.questions[index - 1]} />
            <SaveStatus run={run} />
            {run.takesReports && <ReportButton onClick={() => setDialog('report')} />}
          </div>
          <QuestionHeading key={question.uuid} question={question} describedBy={QUESTION_PLACE} />
          <ReadQuestion question={question} />
          <OptionList run={run} />
          {marks.takesMarks && (
            <MarkButton
              n={index + 1}
              marked={marks.marked.has(question.uuid)}
              onToggle={() => marks.toggle(question.uuid)}
            />
          )}
          <Feedback run={run} quizId={session.id}>
            <RunFailures run={run} />
          </Feedback>
        </div>
        <RunActions run={run} keys={keys} canGoOn={canGoOn} onGoOn={goOn} onFinish={finish} />
        {!onPhone && map}
      </main>
      <ExitDialog
        open={dialog === 'exit'}
        answered={run.answered}
        total={run.total}
        later={quiz.staysOpen ? { clock: endsAt !== undefined } : undefined}
        busy={run.cancel.isPending}
        onExit={() => run.cancel.mutate(undefined, { onError: close })}
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
      <ReportDialog question={dialog === 'report' ? question : undefined} onClose={close} />
    </div>
  );
}

/**
 * The time is up: what was answered is on its way, and the result comes by itself. It cannot be
 * closed, as there is nothing to go back to.
 */
function TimeUpDialog({ run, open }: { run: QuizRunState; open: boolean }) {
  const { t } = useTranslation(['learner', 'translation']);
  const errorText = useErrorText();
  const { saving, finishing, end } = run;
  const failure = finishing ? undefined : (run.refusal ?? end.error);
  return (
    <AppDialog open={open} title={t('practice.up_title')} closable={false} onClose={() => {}}>
      <p>{t('practice.up_text')}</p>
      <p role="status">{saving.problem ? t('practice.up_offline') : t('practice.up_sending')}</p>
      {saving.problem?.stopped && <p>{errorText(saving.problem.error)}</p>}
      <FormAlert>{failure ? errorText(failure) : null}</FormAlert>
      <DialogActions>
        {saving.problem && finishing && !saving.problem.told && (
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

/** As in the style sheets of a run: where its buttons are a bar at the bottom of the screen. */
const PHONE = '(max-width: 48rem)';

function subscribe(onChange: () => void) {
  const query = matchMedia(PHONE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

const useOnPhone = () => useSyncExternalStore(subscribe, () => matchMedia(PHONE).matches);

type MarkButtonProps = { n: number; marked: boolean; onToggle: () => void };

/** Marks the question to come back to it. Said aloud, because the key M changes it from anywhere. */
function MarkButton({ n, marked, onToggle }: MarkButtonProps) {
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
    <div className={styles.place}>
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

function OptionList({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const { question, given, isTest, guarded } = run;
  const key = given?.result?.correct_answer;

  function look(option: string): OptionLook {
    const chosen = given?.answer === option;
    if (key === undefined) return chosen ? 'chosen' : 'open';
    if (option === key) return chosen ? 'right' : 'key';
    return chosen ? 'wrong' : 'other';
  }

  return (
    <div
      role="group"
      aria-label={t('run.options')}
      className={styles.options}
      data-guarded={guarded}
      {...textIn(question.language)}
    >
      {question.options.map((option, number) => (
        <OptionButton
          key={option}
          letter={optionLetter(number)}
          text={option}
          look={look(option)}
          locked={guarded === 'everything' || (!isTest && given !== undefined)}
          onChoose={(byPointer) => run.choose(option, byPointer)}
        />
      ))}
    </div>
  );
}

type QuestionHeadingProps = {
  question: QuizQuestion;
  /** Id of what is heard after the question: how far one has come. */
  describedBy: string;
};

/** Render with the question as key: a new one takes the focus, and so it is read aloud. */
function QuestionHeading({ question, describedBy }: QuestionHeadingProps) {
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
      {question.question}
    </h1>
  );
}

/** What `QuestionHeading` is described by. */
const QUESTION_PLACE = 'question-place how-it-went';

type QuestionPlaceProps = { run: QuizRunState; previous: { uuid: string } | undefined };

/**
 * How far one has come. Where a drill goes on by itself, the focus moves to the next question while
 * the announcement of right or wrong is still spoken, and cuts it off; so the next question says it
 * again to those who hear it.
 */
function QuestionPlace({ run, previous }: QuestionPlaceProps) {
  const { t } = useTranslation('learner');
  const isNew = run.autoAdvance && !run.given;
  const given = previous && isNew ? run.answers[previous.uuid] : undefined;
  const correct = given?.fresh ? given.result?.correct : undefined;
  return (
    <p className={styles.counter}>
      <span id="question-place">{t('run.counter', { n: run.index + 1, total: run.total })}</span>
      <span id="how-it-went" hidden>
        {correct === true && t('run.announce_previous_right')}
        {correct === false &&
          `${t('run.announce_previous_wrong')} ${given?.result?.correct_answer}`}
      </span>
    </p>
  );
}
