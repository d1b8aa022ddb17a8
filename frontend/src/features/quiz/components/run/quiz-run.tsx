import type { QuizSession } from '@proveklar/gateway/contract/quiz.ts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '#i18n/i18n.ts';
import { useDocumentTitle } from '#lib/use-document-title.ts';
import { optionForKey } from '../../run/quiz-position.ts';
import { useQuizRun } from '../../run/use-quiz-run.ts';
import { topicLabel } from '../../topic-label.ts';
import { ExitDialog } from './exit-dialog.tsx';
import { Feedback } from './feedback.tsx';
import { HandInDialog } from './hand-in-dialog.tsx';
import { OptionList } from './option-list.tsx';
import styles from './quiz-run.module.css';
import { RunActions } from './run-actions.tsx';
import { RunFailures } from './run-failures.tsx';
import { RunHeader } from './run-header.tsx';

export function QuizRun({ session }: { session: QuizSession }) {
  const { t } = useTranslation();
  const run = useQuizRun(session);
  const [dialog, setDialog] = useState<'exit' | 'hand-in'>();
  const heading = useRef<HTMLHeadingElement>(null);
  const { question, given, index } = run;
  useDocumentTitle(t('run.counter', { n: index + 1, total: run.total }));

  // Says the new question aloud, and puts the keyboard where the keys below work.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [index]);

  function finish() {
    if (run.isTest && run.answered < run.total) setDialog('hand-in');
    else void run.finish();
  }
  const canGoOn = run.isTest || given?.status === 'saved';

  function goOn() {
    if (run.isLast) finish();
    else run.next();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const option = optionForKey(event.key, question.options);
    if (option !== undefined) run.choose(option);
    // A focused button or switch keeps Enter for itself.
    const onControl = (event.target as Element).closest('button, a, input') !== null;
    if (event.key === 'Enter' && !onControl && canGoOn) goOn();
  }

  return (
    <div className={styles.page}>
      <RunHeader
        topic={topicLabel(session.topic, t)}
        position={index + (given ? 1 : 0)}
        total={run.total}
        onExit={() => (run.answered > 0 ? setDialog('exit') : run.cancel.mutate())}
      />
      <main id="content" tabIndex={-1} className={styles.main} onKeyDown={onKeyDown}>
        <div className={styles.sheet}>
          <p className={styles.counter}>{t('run.counter', { n: index + 1, total: run.total })}</p>
          <h1
            ref={heading}
            tabIndex={-1}
            className={styles.question}
            lang={languageTag(question.language)}
          >
            {question.question}
          </h1>
          <OptionList run={run} />
          <Feedback run={run} />
          <RunFailures run={run} />
        </div>
        <RunActions run={run} canGoOn={canGoOn} onGoOn={goOn} onFinish={finish} />
      </main>
      <ExitDialog run={run} open={dialog === 'exit'} onClose={() => setDialog(undefined)} />
      <HandInDialog run={run} open={dialog === 'hand-in'} onClose={() => setDialog(undefined)} />
    </div>
  );
}
