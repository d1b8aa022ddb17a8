import { CheckmarkCircleFillIcon } from '@navikt/aksel-icons';
import type { BankQuestion } from '@proveklar/contract/questions.ts';
import { useTranslation } from 'react-i18next';
import { languageName, textIn } from '#lib/question-language.ts';
import styles from './question.module.css';

/** What a question says, to read: beside its translation, or in the list. */
export function QuestionTexts({
  question,
  bare = false,
}: {
  question: BankQuestion;
  /** Without its text and language, which are shown beside it. */
  bare?: boolean;
}) {
  const { t, i18n } = useTranslation('admin');
  const { answer, incorrect, incorrect_reasons: reasons, explanation, image } = question;
  return (
    <div className={styles.texts}>
      {!bare && (
        <>
          <h3>{languageName(question.language, i18n.language)}</h3>
          <p className={styles.question} {...textIn(question.language)}>
            {question.question}
          </p>
        </>
      )}
      {image && <img className={styles.picture} src={image.url} alt={image.alt} />}
      <ul className={styles.readOptions} {...textIn(question.language)}>
        <li data-key>
          <CheckmarkCircleFillIcon title={t('questions.preview.key')} />
          <span>{answer}</span>
        </li>
        {incorrect.map((option, place) => (
          <li key={option}>
            <span aria-hidden="true">–</span>
            <span>
              {option}
              {reasons?.[place] && <span className={styles.reason}>{reasons[place]}</span>}
            </span>
          </li>
        ))}
      </ul>
      {explanation && <p {...textIn(question.language)}>{explanation}</p>}
    </div>
  );
}
