import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import { useQuizKeys } from '../../run/use-quiz-keys.ts';
import type { QuizKeeper } from '../../run/quiz-keeper.ts';
import { useQuizRun } from '../../run/use-quiz-run.ts';
import { topicLabel } from '../../topic-label.ts';
import { ExitDialog } from '../exit-dialog.tsx';
import { ReadQuestion } from '../language/read-question.tsx';
import { useSilenceAfter } from '../language/use-read-aloud.ts';
import { ReportButton } from '../report/report-button.tsx';
import { ReportDialog } from '../report/report-dialog.tsx';
import { Feedback } from './feedback.tsx';
import { HandInDialog } from './hand-in-dialog.tsx';
import { OptionList } from './option-list.tsx';
import { QuestionHeading } from './question-heading.tsx';
import { QuestionMap } from './question-map.tsx';
import { QUESTION_PLACE, QuestionPlace } from './question-place.tsx';
import styles from './quiz-run.module.css';
import { RunActions } from './run-actions.tsx';
import { RunFailures } from './run-failures.tsx';
import { RunHeader } from './run-header.tsx';
import { SaveStatus } from './save-status.tsx';

type QuizRunProps = { session: QuizSession; keeper: QuizKeeper };

/** A quiz, question by question. */
export function QuizRun({ session, keeper }: QuizRunProps) {
  const { t } = useTranslation('learner');
  const [dialog, setDialog] = useState<'exit' | 'hand-in' | 'report'>();
  const run = useQuizRun(session, keeper, { paused: dialog !== undefined });
  const { question, index } = run;
  useDocumentTitle(t('run.counter', { n: index + 1, total: run.total }));
  useSilenceAfter(question.uuid, run.given?.answer, dialog);

  const close = () => setDialog(undefined);
  function finish() {
    if (run.isTest && run.answered < run.total) setDialog('hand-in');
    else void run.finish();
  }
  const { canGoOn } = run;

  function goOn() {
    if (run.isLast) finish();
    else run.next();
  }

  const keys = useQuizKeys({
    options: question.options,
    onOption: run.choose,
    onNext: () => canGoOn && goOn(),
  });

  return (
    <div className={styles.page}>
      <RunHeader
        topic={topicLabel(session.topic, t)}
        answered={run.answered}
        total={run.total}
        onExit={() => (run.answered > 0 ? setDialog('exit') : run.cancel.mutate())}
      />
      <main id="content" tabIndex={-1} className={styles.main}>
        <div className={styles.sheet}>
          <div className={styles.above}>
            <QuestionPlace run={run} previous={session.questions[index - 1]} />
            <SaveStatus run={run} />
            {run.takesReports && <ReportButton onClick={() => setDialog('report')} />}
          </div>
          <QuestionHeading key={question.uuid} question={question} describedBy={QUESTION_PLACE} />
          <ReadQuestion question={question} />
          <OptionList run={run} />
          <Feedback run={run} quizId={session.id} />
          <RunFailures run={run} />
        </div>
        <RunActions run={run} keys={keys} canGoOn={canGoOn} onGoOn={goOn} onFinish={finish} />
        {run.isTest && <QuestionMap run={run} questions={session.questions} />}
      </main>
      <ExitDialog
        open={dialog === 'exit'}
        answered={run.answered}
        total={run.total}
        busy={run.cancel.isPending}
        onExit={() => run.cancel.mutate(undefined, { onError: close })}
        onClose={close}
      />
      <HandInDialog run={run} open={dialog === 'hand-in'} onClose={close} />
      <ReportDialog question={dialog === 'report' ? question : undefined} onClose={close} />
    </div>
  );
}
