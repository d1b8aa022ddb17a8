import { diffWordsWithSpace } from 'diff';
import { useTranslation } from 'react-i18next';
import { changedFields, type Draft } from './draft.ts';
import styles from './content-diff.module.css';

type Field = Exclude<keyof Draft, 'incorrect'>;

/** The differences of each field: removed words are struck through, added words are highlighted. */
export function ContentDiff({ before, after }: { before: Draft; after: Draft }) {
  const fields = changedFields(after, before);
  return (
    <dl className={styles.diff}>
      {fields.map((field) => (
        <FieldDiff key={field} field={field} before={before} after={after} />
      ))}
    </dl>
  );
}

type FieldDiffProps = { field: keyof Draft; before: Draft; after: Draft };

/** The difference of one field, as an entry of a `dl`. */
export function FieldDiff({ field, before, after }: FieldDiffProps) {
  const { t } = useTranslation('admin');
  return (
    <div>
      <dt>{t(`questions.field.${field}`)}</dt>
      <dd>
        {field === 'incorrect' ? (
          <ListDiff before={before} after={after} />
        ) : field === 'image' ? (
          // The address of a picture says nothing to a reader.
          t(after.image ? 'questions.picture.changed' : 'questions.picture.removed')
        ) : (
          <TextDiff before={before[field as Field]} after={after[field as Field]} />
        )}
      </dd>
    </div>
  );
}

/** The differences of the wrong answers, by position. */
function ListDiff({ before, after }: { before: Draft; after: Draft }) {
  const places = Math.max(before.incorrect.length, after.incorrect.length);
  return (
    <ol className={styles.answers}>
      {Array.from({ length: places }, (_, place) => (
        <li key={place}>
          <TextDiff
            before={before.incorrect[place]?.text ?? ''}
            after={after.incorrect[place]?.text ?? ''}
          />
          <ReasonDiff
            before={before.incorrect[place]?.reason ?? ''}
            after={after.incorrect[place]?.reason ?? ''}
          />
          <ReasonDiff
            before={before.incorrect[place]?.area ?? ''}
            after={after.incorrect[place]?.area ?? ''}
          />
        </li>
      ))}
    </ol>
  );
}

/** The difference of why a wrong answer is wrong, and of where it is in the picture. */
function ReasonDiff({ before, after }: { before: string; after: string }) {
  if (!before && !after) return null;
  return (
    <div className="muted">
      <TextDiff before={before} after={after} />
    </div>
  );
}

interface Part {
  /** A unique key: the offset and kind of the part. */
  key: string;
  text: string;
  kind: 'kept' | 'ins' | 'del';
}

/** If less of the text is unchanged, the two whole texts are easier to read. */
const MIN_UNCHANGED_SHARE = 0.3;

function partsOf(before: string, after: string): Part[] {
  const parts: Part[] = [];
  let [begin, kept] = [0, 0];
  for (const { value, added, removed } of diffWordsWithSpace(before, after)) {
    const kind = added ? 'ins' : removed ? 'del' : 'kept';
    parts.push({ key: `${kind}${begin}`, text: value, kind });
    begin += value.length;
    if (kind === 'kept') kept += value.trim().length;
  }
  if (kept >= MIN_UNCHANGED_SHARE * Math.max(before.length, after.length)) return parts;
  const whole: Part[] = [
    { key: 'before', text: before, kind: 'del' },
    { key: 'after', text: after, kind: 'ins' },
  ];
  return whole.filter(({ text }) => text !== '');
}

function TextDiff({ before, after }: { before: string; after: string }) {
  const { t } = useTranslation('admin');
  return partsOf(before, after).map(({ key, text, kind: Kind }) =>
    Kind === 'kept' ? (
      <span key={key}>{text}</span>
    ) : (
      <span key={key} className={styles.changed}>
        <span className="ds-sr-only">
          {t(Kind === 'ins' ? 'questions.came' : 'questions.went')}{' '}
        </span>
        <Kind>{text}</Kind>
      </span>
    ),
  );
}
