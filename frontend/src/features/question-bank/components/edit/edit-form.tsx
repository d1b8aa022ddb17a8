import { Button, Textfield } from '@digdir/designsystemet-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_EXPLANATION_LENGTH, MAX_TEXT_LENGTH } from '@proveklar/contract/limits.ts';
import { BusyButton } from '#components/busy-button.tsx';
import { textIn } from '#lib/question-language.ts';
import type { Edit } from '../../use-edit.ts';
import { Distractors } from './distractors.tsx';
import { EditFailure } from './edit-failure.tsx';
import { TopicSuggestions } from './topic-suggestions.tsx';
import { useFaultText } from './use-fault-text.ts';
import styles from './edit-form.module.css';

/** Everything about a question that can be written anew. */
export function EditForm({ edit, language }: { edit: Edit; language: string }) {
  const { t } = useTranslation('admin');
  const faultText = useFaultText();
  const suggestions = useId();
  const { draft, faults, set, isDirty, saving } = edit;

  /** What the fields of one text have in common. */
  const field = (name: Exclude<keyof typeof draft, 'incorrect'>) => ({
    label: t(`questions.field.${name}`),
    value: draft[name],
    autoComplete: 'off',
    error: faultText(faults[name]),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ [name]: currentTarget.value }),
  });

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving.isPending && !edit.conflict) edit.save();
      }}
    >
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
        <Textfield {...field('checked_at')} type="date" />
      </div>
      <EditFailure edit={edit} />
      <div className={styles.actions}>
        <BusyButton
          type="submit"
          busy={saving.isPending}
          resting={!isDirty || edit.conflict !== undefined}
        >
          {t('questions.action.save_changes')}
        </BusyButton>
        {isDirty && (
          <Button type="button" variant="secondary" onClick={() => edit.discard()}>
            {t('questions.action.discard')}
          </Button>
        )}
        <p className="muted" role="status">
          {isDirty ? t('questions.unsaved') : ''}
        </p>
      </div>
    </form>
  );
}
