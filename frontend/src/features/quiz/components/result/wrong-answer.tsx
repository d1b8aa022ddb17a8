import { CheckmarkCircleFillIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { languageTag } from '#i18n/language.ts';
import type { EndedQuestion } from '../../api/get-ended-questions.ts';
import { ReportButton } from '../report/report-button.tsx';
import styles from './wrong-answers.module.css';

type WrongAnswerProps = {
  id: number;
  question: EndedQuestion | undefined;
  given: string | undefined;
  onReport: (question: EndedQuestion) => void;
};

export function WrongAnswer({ id, question, given, onReport }: WrongAnswerProps) {
  const { t } = useTranslation();
  if (!question) return <li className={styles.item}>{t('result.question_missing', { id })}</li>;
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
          <dd lang={given ? lang : undefined}>{given || t('result.unanswered')}</dd>
        </div>
        <div className={styles.key}>
          <dt>
            <CheckmarkCircleFillIcon aria-hidden />
            {t('run.correct_answer')}
          </dt>
          <dd lang={lang}>{question.answer}</dd>
        </div>
      </dl>
      {question.explanation && <p lang={lang}>{question.explanation}</p>}
      <div className={styles.foot}>
        {question.source_url && (
          <a className="ds-link" href={question.source_url} target="_blank" rel="noreferrer">
            {t('run.source')}
          </a>
        )}
        <ReportButton onClick={() => onReport(question)} />
      </div>
    </li>
  );
}
