import {
  Alert,
  Button,
  Fieldset,
  Textfield,
  ValidationMessage,
} from '@digdir/designsystemet-react';
import { ArrowDownIcon, ArrowUpIcon, PlusIcon, TrashIcon } from '@navikt/aksel-icons';
import {
  MAX_DISTRACTORS,
  MAX_EXPLANATION_LENGTH,
  MAX_TEXT_LENGTH,
} from '@proveklar/contract/limits.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { Form } from '#components/form.tsx';
import { Cluster, Stack } from '#components/layout.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { textIn } from '#lib/question-language.ts';
import { type FaultReason, SHOWN_IN_TEST } from './draft.ts';
import { MergeVersions } from './merge-versions.tsx';
import { PictureFields } from './picture-fields.tsx';
import styles from './question.module.css';
import { TopicSuggestions } from './topic-dialog.tsx';
import type { Edit } from './use-edit.ts';

type EditFormProps = {
  edit: Edit;
  language: string;
  /** The label of the button that saves. */
  submit?: string;
  /** More buttons beside it. */
  beside?: ReactNode;
};

/** The form for all editable fields of a question. */
export function EditForm({ edit, language, submit, beside }: EditFormProps) {
  const { t } = useTranslation('admin');
  const faultText = useFaultText();
  const suggestions = useId();
  const { draft, faults, set, isDirty, saving } = edit;
  const isResting = !isDirty || edit.conflict !== undefined;

  /** The common props of the text fields. */
  const field = (name: Exclude<keyof typeof draft, 'incorrect'>) => ({
    label: t(`questions.field.${name}`),
    value: draft[name],
    autoComplete: 'off',
    error: faultText(faults[name]),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [name]: currentTarget.value }),
  });

  return (
    <Form busy={saving.isPending} resting={isResting} onSubmit={() => edit.save()}>
      <Stack gap={5}>
        <Textfield
          {...field('question')}
          multiline
          rows={3}
          maxLength={MAX_TEXT_LENGTH}
          {...textIn(language)}
        />
        <Textfield
          {...field('answer')}
          multiline
          rows={2}
          maxLength={MAX_TEXT_LENGTH}
          {...textIn(language)}
        />
        <Distractors edit={edit} language={language} />
        <PictureFields edit={edit} language={language} faultText={faultText} />
        <Textfield
          {...field('explanation')}
          multiline
          rows={3}
          maxLength={MAX_EXPLANATION_LENGTH}
          {...textIn(language)}
        />
        <div className={styles.pair}>
          <div>
            <Textfield {...field('topic')} {...textIn(language)} list={suggestions} />
            <TopicSuggestions id={suggestions} />
          </div>
          <Textfield
            {...field('tags')}
            description={t('questions.field.tags_hint')}
            maxLength={MAX_TEXT_LENGTH}
          />
          <Textfield {...field('source_url')} type="url" maxLength={MAX_TEXT_LENGTH} />
          <Textfield {...field('source_title')} maxLength={MAX_TEXT_LENGTH} />
          <Textfield {...field('checked_at')} type="date" />
          <Textfield {...field('valid_from')} type="date" />
          <Textfield
            {...field('ages')}
            description={t('questions.field.ages_hint')}
            inputMode="numeric"
            maxLength={4}
          />
          <Textfield
            {...field('excludes')}
            description={t('questions.field.excludes_hint')}
            maxLength={MAX_TEXT_LENGTH}
          />
        </div>
        <EditFailure edit={edit} />
        <Cluster gap={3} align="center">
          <BusyButton type="submit" busy={saving.isPending} resting={isResting}>
            {submit ?? t('questions.action.save_changes')}
          </BusyButton>
          {beside}
          {isDirty && (
            <Button type="button" variant="secondary" onClick={() => edit.discard()}>
              {t('questions.action.discard')}
            </Button>
          )}
          <p className="muted" role="status">
            {isDirty ? t('questions.unsaved') : ''}
          </p>
        </Cluster>
      </Stack>
    </Form>
  );
}

/** The wrong answers. The best come first, because a practice test shows the first ones. */
function Distractors({ edit, language }: { edit: Edit; language: string }) {
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
    set([...incorrect, { key, text: '', reason: '', area: '' }]);
  }

  return (
    <Fieldset>
      <Fieldset.Legend>{t('questions.field.incorrect')}</Fieldset.Legend>
      <Fieldset.Description>{t('questions.distractors_hint')}</Fieldset.Description>
      <ol className={styles.distractors}>
        {incorrect.map((one, place) => {
          const { key, text, reason } = one;
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
                  set(incorrect.with(place, { ...one, text: currentTarget.value }))
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
              <Textfield
                label={t('questions.distractor_reason', { n })}
                {...textIn(language)}
                data-size="sm"
                autoComplete="off"
                multiline
                rows={2}
                maxLength={MAX_TEXT_LENGTH}
                value={reason}
                error={faultText(edit.faults[`incorrect_reasons.${place}`])}
                onChange={({ currentTarget }: { currentTarget: { value: string } }) =>
                  set(incorrect.with(place, { ...one, reason: currentTarget.value }))
                }
              />
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

/** Why a question was not saved, and what to do. The typed texts are still in the fields. */
function EditFailure({ edit }: { edit: Edit }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const { conflict, duplicate, faults, saving } = edit;
  if (conflict) return <MergeVersions edit={edit} newer={conflict} />;
  if (duplicate !== undefined) {
    return (
      <Alert data-color="danger" data-size="sm" role="alert">
        {t('questions.duplicate')}{' '}
        <Link
          to="/admin/dashboard/questions/$id"
          params={{ id: String(duplicate) }}
          className="ds-link"
        >
          {t('questions.see_question', { id: duplicate })}
        </Link>
      </Alert>
    );
  }
  if (Object.keys(faults).length > 0) return <FormAlert>{t('questions.faulty')}</FormAlert>;
  return (
    <FormAlert>
      {saving.isError ? t('questions.failed.save', { reason: errorText(saving.error) }) : ''}
    </FormAlert>
  );
}

/** The error text of a field; undefined without an error. */
function useFaultText() {
  const { t } = useTranslation('admin');
  return (reason: FaultReason | undefined) => reason && t(`questions.fault.${reason}`);
}
