import { Textfield } from '@digdir/designsystemet-react';
import { GlossaryContent, type GlossaryEntry } from '@proveklar/contract/glossary.ts';
import { GLOSSARY_WORD } from '@proveklar/contract/hard-words.ts';
import {
  MAX_GLOSSARY_EXPLANATION_LENGTH,
  MAX_GLOSSARY_FORMS,
  MAX_GLOSSARY_WORD_LENGTH,
} from '@proveklar/contract/limits.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCheckedForm } from '#components/admin/checked-form.ts';
import { notify } from '#components/admin/notify.ts';
import { Form } from '#components/form.tsx';
import { ApiError } from '#lib/api-error.ts';
import { useErrorText } from '#lib/error-text.ts';
import { faultyFields } from '#components/admin/faulty-fields.ts';
import { changeEntry, createEntry, glossaryKeys } from './api.ts';

/** The texts in the fields; the forms of the word are separated by commas. */
type EntryTexts = { word: string; forms: string; norwegian: string; english: string };

function contentOf(texts: EntryTexts): GlossaryContent {
  const tidy = (text: string) => text.trim().replaceAll(/\s+/gu, ' ');
  return {
    word: tidy(texts.word),
    forms: texts.forms
      .split(',')
      .map(tidy)
      .filter((form) => form !== ''),
    norwegian: tidy(texts.norwegian),
    english: tidy(texts.english),
  };
}

/** The fields that the API would refuse. */
function faultsOf(texts: EntryTexts): (keyof EntryTexts)[] {
  const content = contentOf(texts);
  const refused = new Set(faultyFields(GlossaryContent, content)) as Set<keyof EntryTexts>;
  if (!GLOSSARY_WORD.test(content.word)) refused.add('word');
  if (!content.forms.every((form) => GLOSSARY_WORD.test(form))) refused.add('forms');
  return [...refused];
}

type EntryFormProps = {
  /** Undefined for a new one. */
  entry: GlossaryEntry | undefined;
  onClose: () => void;
};

/** The form of an entry, in a dialog. */
export function EntryForm({ entry, onClose }: EntryFormProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: (content: GlossaryContent) =>
      entry
        ? changeEntry(entry.id, { ...content, revision: entry.revision })
        : createEntry(content),
    onSuccess: ({ word }) => {
      notify(t('glossary.saved', { word }));
      onClose();
    },
    onError: (error) => form.refuse(error),
    // Also after a failure, because the list may be stale.
    onSettled: () => queryClient.invalidateQueries({ queryKey: glossaryKeys.all }),
  });
  const form = useCheckedForm<EntryTexts>({
    values: {
      word: entry?.word ?? '',
      forms: entry?.forms.join(', ') ?? '',
      norwegian: entry?.norwegian ?? '',
      english: entry?.english ?? '',
    },
    faultsOf,
    onSubmit: (texts) => saving.mutate(contentOf(texts)),
    onWrite: () => saving.reset(),
  });
  const { faults } = form;
  const isFaulty = Object.keys(faults).length > 0;
  const taken = takenIn(saving.error);

  function errorOf(name: keyof EntryTexts) {
    if (!faults[name]) return undefined;
    return faults[name] === 'refused' && taken
      ? t('glossary.taken', taken)
      : t(`glossary.fault.${name}`, {
          max:
            name === 'norwegian' || name === 'english'
              ? MAX_GLOSSARY_EXPLANATION_LENGTH
              : MAX_GLOSSARY_WORD_LENGTH,
          forms: MAX_GLOSSARY_FORMS,
        });
  }
  const failure = saving.isError && !taken;
  return (
    <Form
      submit={t('glossary.save')}
      busy={saving.isPending}
      onCancel={onClose}
      attempt={form.attempt}
      error={
        (isFaulty && t('glossary.faulty')) ||
        (failure && t('glossary.failed.save', { reason: errorText(saving.error) }))
      }
      onSubmit={form.submit}
    >
      <Textfield
        label={t('glossary.field.word')}
        lang="nb"
        error={errorOf('word')}
        {...form.field('word')}
      />
      <Textfield
        label={t('glossary.field.forms')}
        description={t('glossary.forms_hint')}
        lang="nb"
        error={errorOf('forms')}
        {...form.field('forms')}
      />
      <Textfield
        label={t('glossary.field.norwegian')}
        description={t('glossary.norwegian_hint')}
        multiline
        rows={2}
        lang="nb"
        error={errorOf('norwegian')}
        {...form.field('norwegian')}
      />
      <Textfield
        label={t('glossary.field.english')}
        multiline
        rows={2}
        lang="en"
        error={errorOf('english')}
        {...form.field('english')}
      />
    </Form>
  );
}

/** The form that another entry has, and the word of that entry. */
function takenIn(error: unknown): { value: string; word: string } | undefined {
  if (!(error instanceof ApiError) || error.code !== 'glossary_word_taken') return undefined;
  return { value: String(error.details.value), word: String(error.details.word) };
}
