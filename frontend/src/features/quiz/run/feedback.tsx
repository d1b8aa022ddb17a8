import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textIn } from '#lib/question-language.ts';
import { QuestionTranslations } from '../question-translation.tsx';
import { ReadAloudButton, useReadAloud } from '../read-aloud.tsx';
import { optionLetter } from './quiz-position.ts';
import styles from './run.module.css';
import { scrollToExplanation } from './scroll-to-explanation.ts';
import type { QuizRunState } from './use-quiz-run.ts';

/** An answer that is judged sooner is not spoken of before, in milliseconds. */
const CHECKING = 1000;

type FeedbackProps = {
  run: QuizRunState;
  quizId: string;
  /** What failed: where the explanation comes, for which there is room. */
  children: ReactNode;
};

/**
 * What is said after an answer: aloud whether it was right, and on the screen why.
 */
export function Feedback({ run, quizId, children }: FeedbackProps) {
  const { t } = useTranslation('learner');
  const { given, question, instant } = run;
  const checking = useLate(given?.status === 'sending', CHECKING);
  if (!instant) {
    return (
      <>
        <ChosenLast run={run} />
        {children}
      </>
    );
  }
  const result = given?.result;
  const { language } = question;
  const isWrong = given?.fresh && result?.correct === false;

  return (
    <div className={styles.feedback}>
      <p role="status" className="ds-sr-only">
        {checking && t('run.checking')}
        {given?.fresh && result?.correct === true && t('run.announce_right')}
        {isWrong && (
          <>
            {t('run.announce_wrong')} <span {...textIn(language)}>{result.correct_answer}</span>
          </>
        )}
      </p>
      {children}
      {result?.explanation && (
        <Explanation
          key={question.uuid}
          text={result.explanation}
          source={result.source_url}
          language={language}
          onRead={run.holdForReading}
        />
      )}
      {result?.correct_answer !== undefined && (
        <QuestionTranslations
          key={`${question.uuid} translated`}
          quizId={quizId}
          question={question}
          onOpen={run.holdForReading}
        />
      )}
    </div>
  );
}

/** Without auto-advance, a screen reader hears nothing else about an answer. */
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
  source: string | null | undefined;
  /** Of the question. */
  language: string;
  /** The learner points at it or tabs to it: the quiz must not advance automatically now. */
  onRead: () => void;
};

function Explanation({ text, source, language, onRead }: ExplanationProps) {
  const { t } = useTranslation('learner');
  const box = useRef<HTMLElement>(null);
  useEffect(() => scrollToExplanation(box.current), []);
  const textId = useId();
  return (
    // It is focusable for `onRead` alone, although nothing in it can be operated.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={box}
      className={styles.explanation}
      aria-label={t('run.explanation')}
      // Else who tabs to it hears that there is one, and not what it says.
      aria-describedby={textId}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      // Not `onPointerEnter`: it comes to where a pointer rests.
      onPointerMove={onRead}
      onFocus={onRead}
    >
      <p id={textId} {...textIn(language)}>
        {text}
      </p>
      <ReadExplanation text={text} language={language} />
      {source && (
        <a className="ds-link" href={source} target="_blank" rel="noreferrer">
          {t('run.source')}
        </a>
      )}
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

/** True once something has been true for so many milliseconds on end. */
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
