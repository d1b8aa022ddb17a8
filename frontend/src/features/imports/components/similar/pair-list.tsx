import { Button } from '@digdir/designsystemet-react';
import type { NearDuplicate, SimilarQuestion } from '@proveklar/contract/imports.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '#lib/format.ts';
import { textIn } from '#lib/question-language.ts';
import { compareTexts, type TextPart } from '../../compare-texts.ts';
import type { useSimilarActions } from '../../use-similar-actions.ts';
import styles from './pair-list.module.css';

type PairListProps = {
  importId: string;
  pairs: readonly NearDuplicate[];
  actions: ReturnType<typeof useSimilarActions>;
  /** Others are on their way. */
  busy: boolean;
};

/** Pairs of questions, each with the words marked in which they differ. */
export function PairList({ importId, pairs, actions, busy }: PairListProps) {
  const { t } = useTranslation('admin');
  return (
    <ul
      className={styles.pairs}
      aria-label={t('import.similar.list')}
      aria-busy={busy || undefined}
    >
      {pairs.map((pair) => (
        <li key={pair.question.id}>
          <Pair importId={importId} pair={pair} actions={actions} />
        </li>
      ))}
    </ul>
  );
}

type PairProps = { pair: NearDuplicate } & Pick<PairListProps, 'importId' | 'actions'>;

function Pair({ importId, pair, actions: { keepBoth, retire, isBusy } }: PairProps) {
  const { t } = useTranslation('admin');
  const { question, similar, language, similarity } = pair;
  const { first, second } = compareTexts(similar.question, question.question);
  const where = similar.import_id === importId ? 'same_file' : 'before';
  return (
    <>
      <p className={styles.alike}>
        {t('import.similar.alike', { percent: formatPercent(Math.floor(similarity * 100) / 100) })}
      </p>
      <dl className={styles.sides}>
        <Side name={t('import.similar.new')} question={question} parts={second} lang={language} />
        <Side
          name={t(`import.similar.${where}`)}
          question={similar}
          parts={first}
          lang={language}
        />
      </dl>
      <div className={styles.actions}>
        <Button
          variant="secondary"
          data-size="sm"
          aria-label={`${t('import.similar.retire')}: ${t('import.similar.retire_one', { id: question.id })}`}
          onClick={() => isBusy || retire(pair)}
        >
          {t('import.similar.retire')}
        </Button>
        <Button
          variant="tertiary"
          data-size="sm"
          aria-label={`${t('import.similar.keep')}: ${t('import.similar.keep_one', { id: question.id, other: similar.id })}`}
          onClick={() => isBusy || keepBoth(pair)}
        >
          {t('import.similar.keep')}
        </Button>
      </div>
    </>
  );
}

type SideProps = {
  name: string;
  question: SimilarQuestion;
  parts: readonly TextPart[];
  lang: string;
};

function Side({ name, question: { id, answer, topic }, parts, lang }: SideProps) {
  const { t } = useTranslation('admin');
  return (
    <div>
      <dt>
        {name} <span>{id}</span>
      </dt>
      <dd>
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(id) }}
          className="ds-link"
          {...textIn(lang)}
        >
          {parts.map(({ at, text, differs }) =>
            differs ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </Link>
        <p {...textIn(lang)}>
          {t('import.similar.answer', { answer })} · {topic}
        </p>
      </dd>
    </div>
  );
}
