import { Button, Fieldset, Textfield, ValidationMessage } from '@digdir/designsystemet-react';
import { ArrowDownIcon, ArrowUpIcon, PlusIcon, TrashIcon } from '@navikt/aksel-icons';
import { useTranslation } from 'react-i18next';
import { MAX_DISTRACTORS, MAX_TEXT_LENGTH } from '@proveklar/contract/limits.ts';
import { textIn } from '#lib/question-language.ts';
import { SHOWN_IN_TEST } from '../../draft.ts';
import type { Edit } from '../../use-edit.ts';
import { useFaultText } from './use-fault-text.ts';
import styles from './edit-form.module.css';

/** The wrong answers, the best first: those are what a practice test shows. */
export function Distractors({ edit, language }: { edit: Edit; language: string }) {
  const { t } = useTranslation('admin');
  const faultText = useFaultText();
  const { incorrect } = edit.draft;
  const set = (next: typeof incorrect) => edit.set({ incorrect: next });

  function move(place: number, by: 1 | -1) {
    const next = [...incorrect];
    const [moved] = next.splice(place, 1);
    if (moved) next.splice(place + by, 0, moved);
    set(next);
  }
  function add() {
    const key = Math.max(-1, ...incorrect.map((one) => one.key)) + 1;
    set([...incorrect, { key, text: '' }]);
  }

  return (
    <Fieldset>
      <Fieldset.Legend>{t('questions.field.incorrect')}</Fieldset.Legend>
      <Fieldset.Description>{t('questions.distractors_hint')}</Fieldset.Description>
      <ol className={styles.distractors}>
        {incorrect.map(({ key, text }, place) => {
          const n = place + 1;
          return (
            <li key={key} className={styles.distractor}>
              <Textfield
                label={
                  place < SHOWN_IN_TEST
                    ? t('questions.distractor_in_test', { n })
                    : t('questions.distractor', { n })
                }
                {...textIn(language)}
                autoComplete="off"
                maxLength={MAX_TEXT_LENGTH}
                value={text}
                error={faultText(edit.faults[`incorrect.${place}`])}
                onChange={({ currentTarget }) =>
                  set(incorrect.with(place, { key, text: currentTarget.value }))
                }
              />
              <div className={styles.moves}>
                <Button
                  type="button"
                  icon
                  variant="tertiary"
                  data-size="sm"
                  disabled={place === 0}
                  aria-label={t('questions.move_up', { n })}
                  onClick={() => move(place, -1)}
                >
                  <ArrowUpIcon aria-hidden />
                </Button>
                <Button
                  type="button"
                  icon
                  variant="tertiary"
                  data-size="sm"
                  disabled={place === incorrect.length - 1}
                  aria-label={t('questions.move_down', { n })}
                  onClick={() => move(place, 1)}
                >
                  <ArrowDownIcon aria-hidden />
                </Button>
                <Button
                  type="button"
                  icon
                  variant="tertiary"
                  data-size="sm"
                  data-color="danger"
                  disabled={incorrect.length === 1}
                  aria-label={t('questions.remove', { n })}
                  onClick={() => set(incorrect.toSpliced(place, 1))}
                >
                  <TrashIcon aria-hidden />
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      {edit.faults.incorrect && (
        <ValidationMessage>{faultText(edit.faults.incorrect)}</ValidationMessage>
      )}
      {incorrect.length < MAX_DISTRACTORS && (
        <div>
          <Button type="button" variant="tertiary" data-size="sm" onClick={add}>
            <PlusIcon aria-hidden />
            {t('questions.add_distractor')}
          </Button>
        </div>
      )}
    </Fieldset>
  );
}
