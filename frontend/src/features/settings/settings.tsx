import { Button, Checkbox, Textfield, type TextfieldProps } from '@digdir/designsystemet-react';
import type { SettingsRequest, SettingsResponse } from '@proveklar/contract/settings.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AdminScreen } from '#components/admin/admin-screen.tsx';
import { useCheckedForm } from '#components/admin/checked-form.ts';
import { confirmAction, ConfirmDialog } from '#components/admin/confirm-action.tsx';
import { notify } from '#components/admin/notify.ts';
import { Form, FormEnd } from '#components/form.tsx';
import { RetryAlert } from '#components/retry-alert.tsx';
import { SkeletonLines } from '#components/skeleton-lines.tsx';
import { configQuery } from '#lib/config.ts';
import { useErrorText, useStatusText } from '#lib/error-text.ts';
import { getSession } from '#lib/session.ts';
import { settingsKeys, settingsQuery, updateSettings } from './api.ts';
import { ExamProfiles } from './exams.tsx';
import { Languages } from './languages.tsx';
import { LastChanged } from './last-changed.tsx';
import { Members } from './members.tsx';
import { SellerNotice } from './seller-notice.tsx';
import {
  changesOf,
  FALLBACK,
  faultsOf,
  normalised,
  type SettingsField,
  textsOf,
} from './settings-fields.ts';
import styles from './settings.module.css';

/** What the service costs and gives, who sells it, how the practice tests are put together, and the languages. */
export function SettingsScreen() {
  const { t } = useTranslation('admin');
  const statusText = useStatusText();
  const settings = useQuery(settingsQuery);
  return (
    <AdminScreen title={t('settings.title')} lead={t('settings.lead')}>
      <SellerNotice />
      {settings.isPending && <SkeletonLines label={t('settings.loading')} lines={8} />}
      {settings.isError && (
        <RetryAlert
          title={t('shell.failed_load')}
          busy={settings.isFetching}
          onRetry={() => void settings.refetch()}
        >
          {t('settings.failed.fetch', { status: statusText(settings.error) })}
        </RetryAlert>
      )}
      {/* What is being written stays, whatever becomes of a later reading. */}
      {settings.data && <SettingsForm settings={settings.data} />}
      <ExamProfiles />
      <Languages />
      <Members />
    </AdminScreen>
  );
}

function SettingsForm({ settings }: { settings: SettingsResponse }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const form = useSettingsForm(settings);
  const { changed, saving } = form;
  const isFaulty = Object.keys(form.faults).length > 0;
  const reason = isFaulty ? t('settings.failed.fields') : saving.isError && errorText(saving.error);
  const noContact = form.fields.support_email.trim() === '';
  return (
    <Form
      className={styles.form}
      aria-label={t('settings.form')}
      busy={saving.isPending}
      resting={!changed}
      onSubmit={form.submit}
    >
      {/* What it costs and gives. */}
      <FieldGroup title={t('settings.group.price')} text={t('settings.group.price_text')}>
        <TextSetting
          form={form}
          name="price"
          description={t('settings.hint.price')}
          // Not type=number: browsers drop the comma of "149,50", or do not, each as it pleases.
          field={{ inputMode: 'decimal', suffix: t('settings.currency') }}
        />
        <TextSetting
          form={form}
          name="service_days"
          description={t('settings.hint.service_days')}
          field={{ inputMode: 'numeric', suffix: t('settings.days') }}
        />
      </FieldGroup>
      {/* The law requires that learners are told who the seller is. */}
      <FieldGroup title={t('settings.group.seller')} text={t('settings.group.seller_text')}>
        <TextSetting form={form} name="seller_name" field={{ maxLength: 200 }} />
        <TextSetting
          form={form}
          name="seller_organisation_number"
          field={{ inputMode: 'numeric', maxLength: 15 }}
        />
        <TextSetting form={form} name="seller_address" wide rows={3} field={{ maxLength: 500 }} />
        <Checkbox
          {...form.field('seller_vat_registered')}
          className={styles.wide}
          label={t('settings.field.seller_vat_registered')}
          description={t('settings.hint.seller_vat_registered')}
        />
      </FieldGroup>
      <FieldGroup title={t('settings.group.support')} text={t('settings.group.support_text')}>
        <TextSetting
          form={form}
          name="support_email"
          wide
          description={
            noContact
              ? t('settings.hint.support_email', { email: settings.support_email_in_use })
              : undefined
          }
          field={{ inputMode: 'email', maxLength: 254, spellCheck: false }}
        />
      </FieldGroup>
      <div className={styles.end}>
        <FormEnd
          submit={t('settings.save')}
          busy={saving.isPending}
          resting={!changed}
          attempt={form.attempt}
          error={
            reason && (
              <>
                <strong>{t('settings.failed.update_title')}</strong>
                <p>{t('settings.failed.update', { reason })}</p>
              </>
            )
          }
          row={styles.actions}
          beside={
            <>
              {changed && (
                <Button variant="secondary" onClick={form.discard}>
                  {t('settings.discard')}
                </Button>
              )}
              <p className="muted" role="status">
                {t(changed ? 'settings.unsaved' : 'settings.nothing_changed')}
              </p>
            </>
          }
        />
        <LastChanged
          at={settings.updated_at}
          by={settings.updated_by}
          action="settings.updated"
          never={t('settings.never_changed')}
        />
      </div>
      <UnsavedDialog unsaved={changed} />
    </Form>
  );
}

/** The state of the form: its fields, their errors, and saving. */
function useSettingsForm(settings: SettingsResponse) {
  const { t, i18n } = useTranslation('admin');
  const queryClient = useQueryClient();
  /** The fields that were left or sent with a text that is no number. */
  const [marked, setMarked] = useState<readonly string[]>([]);

  const saving = useMutation({
    mutationFn: (changes: SettingsRequest) => updateSettings(changes),
    onSuccess: (saved) => {
      queryClient.setQueryData(settingsKeys.current, saved);
      form.reset(textsOf(saved, i18n.language));
      setMarked([]);
      notify(t('settings.saved'));
      return queryClient.invalidateQueries({ queryKey: configQuery.queryKey });
    },
    onError: (error) => form.refuse(error),
  });
  const form = useCheckedForm({
    values: textsOf(settings, i18n.language),
    faultsOf: (texts) => faultsOf(changesOf(texts, settings)),
    onWrite: (name) => {
      setMarked(marked.filter((one) => one !== name));
      if (saving.isError) saving.reset();
    },
    onSubmit: (texts) => {
      const changes = changesOf(texts, settings);
      const replaced = normalised(texts, i18n.language);
      const names = Object.keys(replaced) as (keyof typeof FALLBACK)[];
      if (names.length === 0 && changes.price !== 0) {
        saving.mutate(changes);
        return;
      }
      setMarked(names);
      const [only] = names.length === 1 ? names : [];
      confirmAction({
        title: t(names.length > 0 ? 'settings.replace.title' : 'settings.free.title'),
        action:
          names.length === 0
            ? t('settings.free.action')
            : t(only ? `settings.replace.action.${only}` : 'settings.replace.action.both'),
        ...(names.length > 0 && { keep: t('settings.replace.keep') }),
        body: (
          <>
            {names.map((name) => (
              <p key={name}>
                {t(`settings.replace.${texts[name].trim() === '' ? 'empty' : 'typed'}.${name}`, {
                  written: texts[name].trim(),
                  value: FALLBACK[name],
                })}
              </p>
            ))}
            {/* With a price of 0, no learner pays from now on. */}
            {changes.price === 0 && (
              <>
                <p>{t('settings.free.everybody')}</p>
                <p>{t('settings.free.learners')}</p>
              </>
            )}
          </>
        ),
        // The form shows errors, which can be corrected there.
        run: () => saving.mutateAsync(changes).catch(() => undefined),
      });
    },
  });

  const unreadable = Object.keys(normalised(form.fields, i18n.language));
  return {
    ...form,
    changed: unreadable.length > 0 || Object.keys(changesOf(form.fields, settings)).length > 0,
    isMarked: (name: SettingsField) => marked.includes(name) && unreadable.includes(name),
    mark: (name: SettingsField) => setMarked([...marked, name]),
    saving,
    submit: () => {
      saving.reset();
      form.submit();
    },
    discard: () => {
      form.reset();
      setMarked([]);
      saving.reset();
    },
  };
}

type FieldGroupProps = { title: string; text: string; children: ReactNode };

/** A group of fields, with a description. */
function FieldGroup({ title, text, children }: FieldGroupProps) {
  const id = useId();
  return (
    <section className={styles.group} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

type TextSettingProps = {
  form: ReturnType<typeof useSettingsForm>;
  name: Exclude<SettingsField, 'seller_vat_registered'>;
  description?: ReactNode;
  wide?: boolean;
  /** The number of lines; one by default. */
  rows?: number;
  field?: Pick<TextfieldProps, 'inputMode' | 'maxLength' | 'spellCheck' | 'suffix'>;
};

/** A text field of the settings, with its label and error. */
function TextSetting(props: TextSettingProps) {
  const { form, name, description, wide, rows, field } = props;
  const { t } = useTranslation('admin');
  const { onBlur, ...own } = form.field(name);
  const shared = {
    ...field,
    ...own,
    label: t(`settings.field.${name}`),
    description,
    error: (form.faults[name] || form.isMarked(name)) && t(`settings.fault.${name}`),
    onBlur: (event: { target: unknown }) => {
      void onBlur(event);
      form.mark(name);
    },
  };
  return (
    <div className={wide ? styles.wide : undefined}>
      {rows ? <Textfield {...shared} multiline rows={rows} /> : <Textfield {...shared} />}
    </div>
  );
}

/** Asks before unsaved changes are left: by a link, by Back or by closing the tab. */
function UnsavedDialog({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation('admin');
  const leaving = useBlocker({
    // After a sign-out the page must be left.
    shouldBlockFn: () => unsaved && getSession().status === 'signed-in',
    enableBeforeUnload: unsaved,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      open={leaving.status === 'blocked'}
      title={t('settings.leave.title')}
      action={t('settings.leave.action')}
      busy={false}
      onConfirm={() => leaving.proceed?.()}
      onClose={() => leaving.reset?.()}
    >
      <p>{t('settings.leave.text')}</p>
    </ConfirmDialog>
  );
}
