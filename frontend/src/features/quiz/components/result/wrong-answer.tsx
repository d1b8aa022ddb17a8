import type { QuizAnswer, QuizQuestion } from '@proveklar/gateway/contract/quiz.ts';
import { CheckmarkCircleFillIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { languageTag } from '#i18n/language.ts';
import styles from './wrong-answers.module.css';

type WrongAnswerProps = { question: QuizQuestion; answer: QuizAnswer | undefined };

export function WrongAnswer({ question, answer }: WrongAnswerProps) {
  const { t } = useTranslation();
  const lang = languageTag(question.language);
  return (
    <li className={styles.item}>
      <h3 lang={lang}>{question.question}</h3>
      <dl className={styles.answers}>
        <div className={styles.own}>
          <dt>
            <XMarkOctagonFillIcon aria-hidden />
            {t('run.your_answer')}
          </dt>
          <dd lang={answer?.answer ? lang : undefined}>
            {answer?.answer || t('result.unanswered')}
          </dd>
        </div>
        {answer?.correct_answer && (
          <div className={styles.key}>
            <dt>
              <CheckmarkCircleFillIcon aria-hidden />
              {t('run.correct_answer')}
            </dt>
            <dd lang={lang}>{answer.correct_answer}</dd>
          </div>
        )}
      </dl>
      {answer?.explanation && <p lang={lang}>{answer.explanation}</p>}
      {answer?.source_url && (
        <a className="ds-link" href={answer.source_url} target="_blank" rel="noreferrer">
          {t('run.source')}
        </a>
      )}
    </li>
  );
}
