import { Field, Fieldset, Label, Radio, Select, Textfield } from '@digdir/designsystemet-react';
import { type AppLanguage, languageTag } from '@proveklar/contract/language.ts';
import { MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH } from '@proveklar/contract/limits.ts';
import {
  AUDIENCES,
  type Audience,
  type Message,
  type MessageContent,
  type MessageKind,
  MESSAGE_KINDS,
} from '@proveklar/contract/messages.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCheckedForm } from '#components/admin/checked-form.ts';
import { notify } from '#components/admin/notify.ts';
import { Form } from '#components/form.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { formatCount } from '#lib/format-compact.ts';
import { audienceQuery, changeMessage, createMessage, messageQuery, messagesKeys } from './api.ts';
import styles from './messages.module.css';

type Fields = {
  kind: MessageKind;
  audience: Audience;
  no_subject: string;
  no_body: string;
  en_subject: string;
  en_body: string;
};

const fieldsOf = (message: Message | undefined): Fields => ({
  kind: message?.kind ?? 'service',
  audience: message?.audience ?? 'all',
  no_subject: message?.texts.no?.subject ?? '',
  no_body: message?.texts.no?.body ?? '',
  en_subject: message?.texts.en?.subject ?? '',
  en_body: message?.texts.en?.body ?? '',
});

const LANGUAGES = ['no', 'en'] as const;

/** The languages that have a text, also half of one. */
const writtenIn = (fields: Fields): AppLanguage[] =>
  LANGUAGES.filter((code) => fields[`${code}_subject`].trim() || fields[`${code}_body`].trim());

function contentOf(fields: Fields): MessageContent {
  const texts = writtenIn(fields).map((code) => [
    code,
    { subject: fields[`${code}_subject`].trim(), body: fields[`${code}_body`].trim() },
  ]);
  const { kind, audience } = fields;
  return { kind, audience, texts: Object.fromEntries(texts) as MessageContent['texts'] };
}

/** The fields that the API would refuse: a text needs both its parts, and a message one text. */
function faultsOf(fields: Fields): (keyof Fields)[] {
  const written = writtenIn(fields);
  const needed = written.length > 0 ? written : (['no'] as const);
  return needed.flatMap((code) => {
    const [subject, body] = [fields[`${code}_subject`].trim(), fields[`${code}_body`].trim()];
    return [
      ...(subject && subject.length <= MAX_SUBJECT_LENGTH ? [] : [`${code}_subject` as const]),
      ...(body && body.length <= MAX_MESSAGE_LENGTH ? [] : [`${code}_body` as const]),
    ];
  });
}

type MessageFormProps = {
  /** Undefined for a new one. */
  message: Message | undefined;
  onSaved: (message: Message) => void;
  /** Called when a field is edited. */
  onWrite: () => void;
};

/** The form of a draft: who gets the message, and its texts. */
export function MessageForm({ message, onSaved, onWrite }: MessageFormProps) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: (content: MessageContent) =>
      message
        ? changeMessage(message.id, { ...content, revision: message.revision })
        : createMessage(content),
    onSuccess: (saved) => {
      queryClient.setQueryData(messageQuery(saved.id).queryKey, saved);
      notify(t('messages.saved'));
      form.reset(fieldsOf(saved));
      onSaved(saved);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: messagesKeys.all }),
  });
  const form = useCheckedForm<Fields>({
    values: fieldsOf(message),
    faultsOf,
    onSubmit: (fields) => saving.mutate(contentOf(fields)),
    onWrite: () => {
      saving.reset();
      onWrite();
    },
  });
  const { fields, faults } = form;
  const isFaulty = Object.keys(faults).length > 0;
  return (
    <Form
      className={styles.form}
      aria-label={t('messages.form')}
      submit={t('messages.save')}
      busy={saving.isPending}
      attempt={form.attempt}
      error={
        (isFaulty && t('messages.faulty')) ||
        (saving.isError && t('messages.failed.save', { reason: errorText(saving.error) }))
      }
      onSubmit={form.submit}
    >
      <div className={styles.choices}>
        <Fieldset>
          <Fieldset.Legend>{t('messages.field.kind')}</Fieldset.Legend>
          {MESSAGE_KINDS.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              label={t(`messages.kind.${kind}`)}
              description={t(`messages.kind_hint.${kind}`)}
              {...form.field('kind')}
            />
          ))}
        </Fieldset>
        <Field>
          <Label>{t('messages.field.audience')}</Label>
          <Select {...form.field('audience')}>
            {AUDIENCES.map((audience) => (
              <Select.Option key={audience} value={audience}>
                {t(`messages.audience.${audience}`)}
              </Select.Option>
            ))}
          </Select>
        </Field>
        <Reach {...fields} languages={writtenIn(fields)} />
      </div>
      {LANGUAGES.map((code) => (
        <Fieldset key={code} className={styles.text}>
          <Fieldset.Legend>{t(`messages.text.${code}`)}</Fieldset.Legend>
          <Fieldset.Description>{t(`messages.text_hint.${code}`)}</Fieldset.Description>
          <Textfield
            label={t('messages.field.subject')}
            lang={languageTag(code)}
            maxLength={MAX_SUBJECT_LENGTH}
            error={
              faults[`${code}_subject`] && t('messages.fault.subject', { max: MAX_SUBJECT_LENGTH })
            }
            {...form.field(`${code}_subject`)}
          />
          <Textfield
            label={t('messages.field.body')}
            description={t('messages.body_hint')}
            multiline
            rows={8}
            lang={languageTag(code)}
            maxLength={MAX_MESSAGE_LENGTH}
            error={faults[`${code}_body`] && t('messages.fault.body')}
            {...form.field(`${code}_body`)}
          />
        </Fieldset>
      ))}
    </Form>
  );
}

type ReachProps = Pick<Fields, 'kind' | 'audience'> & { languages: AppLanguage[] };

/** How many learners a message reaches, and how many it leaves out. */
export function Reach({ kind, audience, languages }: ReachProps) {
  const { t, i18n } = useTranslation('admin');
  const { data, isError } = useQuery(audienceQuery({ kind, audience, languages }));
  const number = (count: number) => formatCount(count, i18n.language);
  if (languages.length === 0) return <p role="status">{t('messages.reach.unwritten')}</p>;
  if (!data) {
    return <p role="status">{t(isError ? 'messages.reach.failed' : 'messages.reach.counting')}</p>;
  }
  const { total, recent, refused_before: refused } = data;
  return (
    <div role="status">
      <p>{t('messages.reach.total', { count: total, n: number(total) })}</p>
      {recent > 0 && <p>{t('messages.reach.recent', { count: recent, n: number(recent) })}</p>}
      {refused > 0 && <p>{t('messages.reach.refused', { count: refused, n: number(refused) })}</p>}
    </div>
  );
}
