import { Switch, ToggleGroup } from '@digdir/designsystemet-react';
import { CheckmarkCircleFillIcon } from '@navikt/aksel-icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageName, textIn } from '#lib/question-language.ts';
import { type Draft, SHOWN_IN_TEST } from './draft.ts';
import styles from './question.module.css';

/** A preview of the question as a learner sees it, with the current texts of the form. */
export function QuestionPreview({ draft, language }: { draft: Draft; language: string }) {
  const { t, i18n } = useTranslation('admin');
  const [kind, setKind] = useState<'drill' | 'test'>('drill');
  const [isAnswered, setAnswered] = useState(false);
  const wrong = draft.incorrect.slice(0, kind === 'test' ? SHOWN_IN_TEST : undefined);
  const options = [{ text: draft.answer, reason: '' }, ...wrong]
    .map(({ text, reason }, place) => ({ text, reason, isKey: place === 0 }))
    .toSorted((a, b) => (a.text < b.text ? -1 : 1));
  return (
    <section className={styles.preview} aria-labelledby="question-preview">
      <h2 id="question-preview">{t('questions.preview.title')}</h2>
      <ToggleGroup
        value={kind}
        onChange={(value) => setKind(value === 'test' ? 'test' : 'drill')}
        data-toggle-group={t('questions.preview.kind')}
        data-size="sm"
      >
        <ToggleGroup.Item value="drill">{t('questions.preview.drill')}</ToggleGroup.Item>
        <ToggleGroup.Item value="test">{t('questions.preview.test')}</ToggleGroup.Item>
      </ToggleGroup>
      <p className="muted">{languageName(language, i18n.language)}</p>
      <div className={styles.card} {...textIn(language)}>
        <p className={styles.question}>{draft.question}</p>
        {draft.image && <img className={styles.picture} src={draft.image} alt={draft.image_alt} />}
        <ol className={styles.options}>
          {options.map(({ text, reason, isKey }, place) => (
            <li key={`${isKey} ${text}`} data-key={(isAnswered && isKey) || undefined}>
              <span className={styles.letter} aria-hidden="true">
                {String.fromCodePoint(65 + place)}
              </span>
              <span>
                {text}
                {isAnswered && reason.trim() && <span className={styles.reason}>{reason}</span>}
              </span>
              {isAnswered && isKey && (
                <CheckmarkCircleFillIcon title={t('questions.preview.key')} />
              )}
            </li>
          ))}
        </ol>
        {isAnswered && draft.explanation.trim() && (
          <p className={styles.explanation}>{draft.explanation}</p>
        )}
      </div>
      <Switch
        data-size="sm"
        label={t('questions.preview.answered')}
        checked={isAnswered}
        onChange={(event) => setAnswered(event.currentTarget.checked)}
      />
      <p className="muted">{t('questions.preview.order')}</p>
    </section>
  );
}
