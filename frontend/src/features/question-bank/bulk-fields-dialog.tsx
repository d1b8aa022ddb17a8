import { Field, Label, Select, Textfield } from '@digdir/designsystemet-react';
import { MAX_TAGS, MAX_TEXT_LENGTH } from '@proveklar/contract/limits.ts';
import type { ChangeValues, QuestionChangeAction } from '@proveklar/contract/question-changes.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppDialog } from '#components/app-dialog.tsx';
import { Form } from '#components/form.tsx';
import { languageName } from '#lib/question-language.ts';
import { filtersQuery } from './api.ts';

/** The bulk actions that set a field. */
export const FIELD_ACTIONS = [
  'add_tags',
  'remove_tags',
  'set_language',
  'set_source',
  'set_checked',
] as const satisfies QuestionChangeAction[];
export type FieldAction = (typeof FIELD_ACTIONS)[number];

type BulkFieldsDialogProps = {
  action: FieldAction | undefined;
  title: string;
  busy: boolean;
  onSave: (values: ChangeValues) => void;
  onClose: () => void;
};

/** Asks for the values of a bulk action. */
export function BulkFieldsDialog({ action, title, onClose, ...form }: BulkFieldsDialogProps) {
  const { t } = useTranslation('admin');
  return (
    <AppDialog open={action !== undefined} title={title} onClose={onClose}>
      {action && (
        <>
          <p>{t(`questions.bulk_text.${action}`)}</p>
          <FieldsForm action={action} onClose={onClose} {...form} />
        </>
      )}
    </AppDialog>
  );
}

type FieldsFormProps = Omit<BulkFieldsDialogProps, 'action' | 'title'> & { action: FieldAction };

function FieldsForm({ action, busy, onSave, onClose }: FieldsFormProps) {
  const { t, i18n } = useTranslation('admin');
  const { data: known } = useQuery(filtersQuery);
  const [texts, setTexts] = useState(() => ({
    tags: '',
    language: 'no',
    source_url: '',
    source_title: '',
    checked_at: new Date().toISOString().slice(0, 10),
  }));
  const [faults, setFaults] = useState<Partial<Record<keyof typeof texts, string>>>({});
  const languages = [...new Set(['no', 'en', ...(known?.languages ?? [])])];

  const field = (name: keyof typeof texts) => ({
    label: t(`questions.field.${name as 'tags'}`),
    autoComplete: 'off',
    maxLength: MAX_TEXT_LENGTH,
    value: texts[name],
    error: faults[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setFaults({});
      setTexts({ ...texts, [name]: currentTarget.value });
    },
  });

  function save() {
    const tags = [...new Set(texts.tags.split(',').map((tag) => tag.trim()))].filter(Boolean);
    const url = texts.source_url.trim();
    const found: typeof faults = {};
    if (action === 'add_tags' || action === 'remove_tags') {
      if (tags.length === 0) found.tags = t('questions.fault.blank');
      else if (tags.length > MAX_TAGS) found.tags = t('questions.fault.too_many');
    }
    if (action === 'set_source' && url !== '' && !/^https?:\/\//u.test(url)) {
      found.source_url = t('questions.fault.not_a_web_address');
    }
    setFaults(found);
    if (Object.keys(found).length > 0) return;
    if (action === 'set_language') onSave({ language: texts.language });
    else if (action === 'set_checked') onSave({ checked_at: texts.checked_at || null });
    else if (action === 'set_source') {
      onSave({ source_url: url || null, source_title: texts.source_title.trim() || null });
    } else onSave({ tags });
  }

  return (
    <Form
      submit={t(`questions.action.${action}`)}
      busy={busy}
      faults={faults}
      onSubmit={save}
      onCancel={onClose}
    >
      {(action === 'add_tags' || action === 'remove_tags') && (
        <Textfield {...field('tags')} description={t('questions.bulk_tags_hint')} />
      )}
      {action === 'set_language' && (
        <Field>
          <Label>{t('questions.filter.language')}</Label>
          <Select
            value={texts.language}
            onChange={(event) => setTexts({ ...texts, language: event.currentTarget.value })}
          >
            {languages.map((code) => (
              <Select.Option key={code} value={code}>
                {languageName(code, i18n.language)}
              </Select.Option>
            ))}
          </Select>
        </Field>
      )}
      {action === 'set_source' && (
        <>
          <Textfield {...field('source_url')} type="url" />
          <Textfield {...field('source_title')} />
        </>
      )}
      {action === 'set_checked' && <Textfield {...field('checked_at')} type="date" />}
    </Form>
  );
}
