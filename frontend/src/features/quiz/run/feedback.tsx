import { Button } from '@digdir/designsystemet-react';
import {
  CheckmarkCircleFillIcon,
  ChevronDownIcon,
  XMarkOctagonFillIcon,
} from '@navikt/aksel-icons';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SourceLink } from '#components/source-link.tsx';
import { textIn } from '#lib/question-language.ts';
import { GlossaryText } from '../glossary.tsx';
import { optionLetter } from '../option-letter.ts';
import { QuestionTranslations } from '../question-translation.tsx';
import { ReadAloudButton, useReadAloud } from '../read-aloud.tsx';
import { ReasonList, reasonOf } from '../reasons.tsx';
import { ReportButton } from '../report.tsx';
import styles from './feedback.module.css';
import { fitSheet, scrollToAnswer } from './scroll-to-answer.ts';
import type { QuizRunState } from './use-quiz-run.ts';

/** "Checking" is shown only for an answer that takes longer. */
const CHECKING_DELAY_MS = 1000;

type FeedbackProps = {
  run: QuizRunState;
  /** Errors. */
  children: ReactNode;
};

/** Announces right or wrong; without feedback, what was chosen. */
export function Feedback({ run, children }: FeedbackProps) {
  const { t } = useTranslation('learner');
  const { given, question, instant } = run;
  const checking = useLate(given?.status === 'sending', CHECKING_DELAY_MS);
  if (!instant) {
    return (
      <>
        <ChosenLast run={run} />
        {children}
      </>
    );
  }
  const result = given?.result;
  const isWrong = given?.fresh && result?.correct === false;
  return (
    <div className={styles.feedback}>
      <p role="status" className="ds-sr-only">
        {checking && t('run.checking')}
        {given?.fresh && result?.correct === true && t('run.announce_right')}
        {isWrong && (
          <>
            {t('run.announce_wrong')}{' '}
            <span {...textIn(question.language)}>{result.correct_answer}</span>
          </>
        )}
      </p>
      {children}
    </div>
  );
}

/** What is right and why, at the bottom of the screen until the learner goes on. */
export function AnswerSheet({ run, quizId }: { run: QuizRunState; quizId: string }) {
  const { question, given, instant } = run;
  const result = given?.result;
  if (!instant || result?.correct_answer === undefined) return null;
  return <Answer key={question.uuid} run={run} quizId={quizId} result={result} />;
}

type Result = NonNullable<NonNullable<QuizRunState['given']>['result']>;
type AnswerProps = { run: QuizRunState; quizId: string; result: Result };

function Answer({ run, quizId, result }: AnswerProps) {
  const { question } = run;
  const sheet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = sheet.current;
    if (!element) return undefined;
    fitSheet(element);
    // A turned phone, a zoom, or a font that comes late.
    const refit = () => fitSheet(element) && scrollToAnswer(element);
    const observer = new ResizeObserver(refit);
    for (const part of element.children) observer.observe(part);
    window.addEventListener('resize', refit);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', refit);
    };
  }, []);
  useEffect(() => {
    if (sheet.current) scrollToAnswer(sheet.current);
  }, []);
  return (
    <div ref={sheet} className={styles.answer} data-answer={result.correct ? 'right' : 'wrong'}>
      <ResultLine result={result} language={question.language} />
      {result.explanation && (
        <Explanation
          text={result.explanation}
          language={question.language}
          onRead={run.holdForReading}
        />
      )}
      <GivenReason run={run} result={result} />
      {/* After what is right and why: on a phone it has two lines or three. */}
      <div className={styles.source}>
        <SourceLink source={result} />
      </div>
      {run.asksToAdvance && <AskToAdvance run={run} />}
      {result.explanation && (
        <ReadExplanation text={result.explanation} language={question.language} />
      )}
      <QuestionTranslations quizId={quizId} question={question} onOpen={run.holdForReading} />
    </div>
  );
}

/** Right or wrong, and which answer is right. */
function ResultLine({ result, language }: { result: Result; language: string }) {
  const { t } = useTranslation('learner');
  const Icon = result.correct ? CheckmarkCircleFillIcon : XMarkOctagonFillIcon;
  return (
    <div className={styles.outcome}>
      <p className={styles.outcomeTitle} data-right={result.correct === true || undefined}>
        <Icon aria-hidden />
        {t(result.correct ? 'run.announce_right' : 'run.wrong')}
      </p>
      {!result.correct && (
        <p>
          {t('run.correct_answer')}: <b {...textIn(language)}>{result.correct_answer}</b>
        </p>
      )}
    </div>
  );
}

/** Why the chosen option is wrong, for a small screen, where this sheet may cover the options. */
function GivenReason({ run, result }: Omit<AnswerProps, 'quizId'>) {
  const { t } = useTranslation('learner');
  const { question, given, holdForReading } = run;
  const reason = reasonOf(result.reasons, given?.answer);
  if (!reason) return null;
  return (
    <p className={styles.givenReason}>
      {t('run.your_answer')}: <b {...textIn(question.language)}>{given?.answer}</b>
      <br />
      <span {...textIn(question.language)}>
        <GlossaryText text={reason} language={question.language} onOpen={holdForReading} />
      </span>
    </p>
  );
}

/** Asked once, at the first wrong answer; it can be changed at any question. */
function AskToAdvance({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  return (
    <div className={styles.ask}>
      <p>{t('run.ask_advance')}</p>
      <div>
        <Button
          variant="secondary"
          data-size="sm"
          onClick={() => {
            run.holdForReading();
            run.setAutoAdvance(false);
          }}
        >
          {t('run.read_in_peace')}
        </Button>
        <Button
          variant="secondary"
          data-size="sm"
          onClick={() => {
            // From the next question on: this one is being read.
            run.holdForReading();
            run.setAutoAdvance(true);
          }}
        >
          {t('run.ask_automatic')}
        </Button>
      </div>
    </div>
  );
}

/** The question before, after the quiz has automatically advanced from it. */
export function LastQuestion({ run, onReport }: { run: QuizRunState; onReport: () => void }) {
  const { t } = useTranslation('learner');
  const { advancedFrom: question, answers } = run;
  const result = question && answers[question.uuid]?.result;
  if (!question || result?.correct_answer === undefined) return null;
  const { language } = question;
  const Icon = result.correct ? CheckmarkCircleFillIcon : XMarkOctagonFillIcon;
  return (
    <details key={question.uuid} className={styles.last}>
      <summary>
        <Icon aria-hidden data-right={result.correct === true || undefined} />
        <span className={styles.lastTitle}>
          {t(result.correct ? 'run.last_right' : 'run.last_wrong')}{' '}
          <span {...textIn(language)}>{question.question}</span>
        </span>
        <ChevronDownIcon aria-hidden />
      </summary>
      <div className={styles.lastText}>
        <p>
          {t('run.correct_answer')}: <b {...textIn(language)}>{result.correct_answer}</b>
        </p>
        {result.explanation && <p {...textIn(language)}>{result.explanation}</p>}
        <ReasonList reasons={result.reasons} language={language} title={t('result.why_wrong')} />
        <SourceLink source={result} />
        {run.takesReports && <ReportButton onClick={onReport} />}
      </div>
    </details>
  );
}

/** Announces the chosen option: without an auto-advance, nothing else is announced. */
function ChosenLast({ run }: { run: QuizRunState }) {
  const { t } = useTranslation('learner');
  const { given, question, isLast, isTest, autoAdvance } = run;
  const number = question.options.findIndex((option) => option === given?.answer);
  const isSaid = number >= 0 && (!autoAdvance || (isTest && isLast));
  return (
    <p role="status" className="ds-sr-only">
      {isSaid && t('run.announce_chosen', { letter: optionLetter(number) })}
    </p>
  );
}

type ExplanationProps = {
  text: string;
  /** The language of the question. */
  language: string;
  /** Called when the learner points at it or tabs to it: the quiz must not advance automatically then. */
  onRead: () => void;
};

function Explanation({ text, language, onRead }: ExplanationProps) {
  const { t } = useTranslation('learner');
  const textId = useId();
  return (
    // It is focusable for `onRead`, also where it has no control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      className={styles.explanation}
      aria-label={t('run.explanation')}
      // Otherwise a screen reader would announce that there is an explanation, but not its text.
      aria-describedby={textId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      // Not `onPointerEnter`: the explanation may appear under a resting pointer.
      onPointerMove={onRead}
      onFocus={onRead}
    >
      <p id={textId} {...textIn(language)}>
        <GlossaryText text={text} language={language} onOpen={onRead} />
      </p>
    </aside>
  );
}

function ReadExplanation({ text, language }: { text: string; language: string }) {
  const { t } = useTranslation('learner');
  const aloud = useReadAloud('explanation', language, () => [{ text, language }]);
  if (!aloud.available) return null;
  return (
    <ReadAloudButton
      label={t('language.read_explanation')}
      reading={aloud.reading}
      onClick={aloud.toggle}
    />
  );
}

/** True once `isTrue` has been true for `milliseconds` without a break. */
function useLate(isTrue: boolean, milliseconds: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isTrue) return undefined;
    const timer = setTimeout(() => setLate(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isTrue, milliseconds]);
  return isTrue && late;
}
