import { diffWordsWithSpace } from 'diff';
import { useTranslation } from 'react-i18next';
import { changedFields, type Draft } from '../../draft.ts';
import styles from './content-diff.module.css';

type Field = Exclude<keyof Draft, 'incorrect'>;

/** What became of each field: words that went are struck through, words that came stand out. */
export function ContentDiff({ before, after }: { before: Draft; after: Draft }) {
  const { t } = useTranslation('admin');
  const fields = changedFields(after, before);
  return (
    <dl className={styles.diff}>
      {fields.map((field) => (
        <div key={field}>
          <dt>{t(`questions.field.${field}`)}</dt>
          <dd>
            {field === 'incorrect' ? (
              <ListDiff before={before} after={after} />
            ) : (
              <TextDiff before={before[field as Field]} after={after[field as Field]} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The wrong answers as they are now, in their order, each with what it was in that place. */
function ListDiff({ before, after }: { before: Draft; after: Draft }) {
  const places = Math.max(before.incorrect.length, after.incorrect.length);
  return (
    <ol className={styles.list}>
      {Array.from({ length: places }, (_, place) => (
        <li key={place}>
          <TextDiff
            before={before.incorrect[place]?.text ?? ''}
            after={after.incorrect[place]?.text ?? ''}
          />
        </li>
      ))}
    </ol>
  );
}

/** Where less than this of the words stayed, two whole texts are easier to read. */
const ENOUGH_KEPT = 0.3;

function TextDiff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('admin');
  const parts = diffWordsWithSpace(before, after);
  const kept = parts.filter(({ added, removed }) => !added && !removed);
  const keptLength = kept.reduce((sum, { value }) => sum + value.trim().length, 0);
  const isAnother = keptLength < ENOUGH_KEPT * Math.max(before.length, after.length);
  const shown = isAnother
    ? [
        { value: before, removed: true, added: false },
        { value: after, added: true, removed: false },
      ].filter(({ value }) => value !== '')
    : parts;
  let length = 0;
  return shown.map(({ value, added, removed }) => {
    // Where it begins, which no other part of this kind does.
    const key = `${added ? '+' : removed ? '-' : ''}${length}`;
    length += value.length;
    if (!added && !removed) return <span key={key}>{value}</span>;
    const Tag = added ? 'ins' : 'del';
    return (
      <span key={key}>
        <span className="ds-sr-only">{t(added ? 'questions.came' : 'questions.went')} </span>
        <Tag>{value}</Tag>
        {isAnother && ' '}
      </span>
    );
  });
}
