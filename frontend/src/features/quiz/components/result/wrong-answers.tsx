import type { QuizAnswer, QuizQuestion } from '@proveklar/gateway/contract/quiz.ts';
import { useTranslation } from 'react-i18next';
import { WrongAnswer } from './wrong-answer.tsx';
import styles from './wrong-answers.module.css';

type WrongAnswersProps = { questions: QuizQuestion[]; answers: Record<string, QuizAnswer> };

export function WrongAnswers({ questions, answers }: WrongAnswersProps) {
  const { t } = useTranslation();
  return (
    <section className={styles.section} aria-labelledby="wrong-title">
      <h2 id="wrong-title">{t('result.wrong_title')}</h2>
      <ol className={styles.list}>
        {questions.map((question) => (
          <WrongAnswer key={question.uuid} question={question} answer={answers[question.uuid]} />
        ))}
      </ol>
    </section>
  );
}
