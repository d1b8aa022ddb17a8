import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { textIn } from '#lib/question-language.ts';
import { useLate } from '#lib/use-late.ts';
import { optionLetter } from '../../quiz-position.ts';
import type { QuizRunState } from '../../use-quiz-run.ts';
import { QuestionTranslations } from '../language/question-translation.tsx';
import { Explanation } from './explanation.tsx';
import styles from './feedback.module.css';

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
    <div className={styles.place}>
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

/** Where the next question does not come by itself, nothing else is heard of an answer. */
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
