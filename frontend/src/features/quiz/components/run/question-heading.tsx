import { useEffect, useRef } from 'react';
import type { QuizQuestion } from '@proveklar/contract/quiz.ts';
import { textIn } from '#lib/question-language.ts';
import styles from './quiz-run.module.css';

type QuestionHeadingProps = {
  question: QuizQuestion;
  /** Id of what is heard after the question: how far one has come. */
  describedBy: string;
};

/** Render with the question as key: a new one takes the focus, and so it is read aloud. */
export function QuestionHeading({ question, describedBy }: QuestionHeadingProps) {
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
