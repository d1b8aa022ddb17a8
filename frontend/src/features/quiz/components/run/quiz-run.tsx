import type { QuizSession } from '@proveklar/contract/quiz.ts';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import { observeReading, type QuizKeeper } from '../../run/quiz-keeper.ts';
import { useMarks } from '../../run/use-marks.ts';
import { useQuizKeys } from '../../run/use-quiz-keys.ts';
import { type QuizRunState, useQuizRun } from '../../run/use-quiz-run.ts';
import { useTestClock } from '../../run/use-test-clock.ts';
import { topicLabel } from '../../topic-label.ts';
import { ExitDialog } from '../exit-dialog.tsx';
import { ReadQuestion } from '../language/read-question.tsx';
import { useSilenceAfter } from '../language/use-read-aloud.ts';
import { ReportButton } from '../report/report-button.tsx';
import { ReportDialog } from '../report/report-dialog.tsx';
import { Feedback } from './feedback.tsx';
import { HandInDialog } from './hand-in-dialog.tsx';
import { MarkButton } from './mark-button.tsx';
import { OptionList } from './option-list.tsx';
import { QuestionHeading } from './question-heading.tsx';
import { QuestionMap } from './question-map.tsx';
import { QUESTION_PLACE, QuestionPlace } from './question-place.tsx';
import styles from './quiz-run.module.css';
import { RunActions } from './run-actions.tsx';
import { RunClock } from './run-clock.tsx';
import { RunFailures } from './run-failures.tsx';
import { RunHeader } from './run-header.tsx';
import { SaveStatus } from './save-status.tsx';
import { Button } from '@digdir/designsystemet-react';
import { AppDialog, DialogActions } from '#components/app-dialog.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';

type QuizRunProps = { session: QuizSession; keeper: QuizKeeper };

/** A quiz, question by question. */
export function QuizRun({ session, keeper }: QuizRunProps) {
  const { t } = useTranslation('learner');
  const [dialog, setDialog] = useState<'exit' | 'hand-in' | 'report'>();
  const [isTimeUp, setTimeUp] = useState(false);
  const clock = useTestClock(session);
  const marks = useMarks(session, keeper);
  const observed = observeReading(keeper, (read) => {
    clock.sync(read);
    marks.sync(read);
  });
  const run = useQuizRun(session, observed, { paused: dialog !== undefined });
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
        {clock.endsAt !== undefined && <RunClock endsAt={clock.endsAt} onTimeUp={handInAtEnd} />}
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
        later={keeper.staysOpen ? { clock: clock.endsAt !== undefined } : undefined}
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
