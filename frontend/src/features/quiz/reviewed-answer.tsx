import { CheckmarkCircleFillIcon, XMarkOctagonFillIcon } from '@navikt/aksel-icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SourceLink } from '#components/source-link.tsx';
import { textIn } from '#lib/question-language.ts';
import type { EndedQuestion } from './api.ts';
import { GlossaryText } from './glossary.tsx';
import { lookOf, Picture } from './picture.tsx';
import { ReasonList, reasonOf } from './reasons.tsx';
import { ReportButton } from './report.tsx';
import styles from './question.module.css';

type ReviewedAnswerProps = {
  id: number;
  question: EndedQuestion | undefined;
  given: string | undefined;
  right: boolean;
  /** The question in another language, if there is one. */
  translation?: ReactNode;
  /** Left out if the visitor cannot send reports. */
  onReport?: (question: EndedQuestion) => void;
};

export function ReviewedAnswer({
  id,
  question,
  given,
  right,
  translation,
  onReport,
}: ReviewedAnswerProps) {
  const { t } = useTranslation('learner');
  if (!question) return <li className={styles.item}>{t('result.question_missing', { id })}</li>;
  const { language } = question;
  const text = textIn(language);
  const reason = reasonOf(question.reasons, given);
  const Icon = right ? CheckmarkCircleFillIcon : XMarkOctagonFillIcon;
  return (
    <li className={styles.item}>
      <h3 {...text}>
        <GlossaryText text={question.question} language={language} />
      </h3>
      <Picture
        picture={question}
        look={(option) => lookOf(option, { answer: given, key: question.answer })}
      />
      <dl className={styles.answers}>
        <div className={right ? styles.correct : styles.own}>
          <dt>
            <Icon aria-hidden />
            {t(right ? 'result.own_right' : 'run.your_answer')}
          </dt>
          <dd {...(given && text)}>{given || t('result.unanswered')}</dd>
          {reason && (
            <dd {...text}>
              <GlossaryText text={reason} language={language} />
            </dd>
          )}
        </div>
        {!right && (
          <div className={styles.correct}>
            <dt>
              <CheckmarkCircleFillIcon aria-hidden />
              {t('run.correct_answer')}
            </dt>
            <dd {...text}>{question.answer}</dd>
          </div>
        )}
      </dl>
      {question.explanation && (
        <p {...text}>
          <GlossaryText text={question.explanation} language={language} />
        </p>
      )}
      <ReasonList
        reasons={question.reasons}
        language={language}
        except={given}
        title={t('result.why_wrong')}
      />
      {translation}
      <div className={styles.foot}>
        <SourceLink source={question} />
        {onReport && <ReportButton onClick={() => onReport(question)} />}
      </div>
    </li>
  );
}
