import { textIn } from '#lib/question-language.ts';
import { GlossaryText } from './glossary.tsx';
import styles from './question.module.css';

type Reasons = readonly { option: string; reason: string }[] | undefined;

/** Why an option is wrong; nothing where that is not known. */
export const reasonOf = (reasons: Reasons, option: string | undefined): string | undefined =>
  reasons?.find((known) => known.option === option)?.reason;

type ReasonListProps = {
  reasons: Reasons;
  language: string;
  /** An option whose reason stands elsewhere. */
  except?: string | undefined;
  title: string;
};

/** Wrong options, each with why it is wrong. */
export function ReasonList({ reasons, language, except, title }: ReasonListProps) {
  const listed = reasons?.filter(({ option }) => option !== except);
  if (!listed?.length) return null;
  return (
    <div className={styles.reasons}>
      <p>{title}</p>
      <ul {...textIn(language)}>
        {listed.map(({ option, reason }) => (
          <li key={option}>
            <b>{option}</b>
            <span>
              <GlossaryText text={reason} language={language} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
