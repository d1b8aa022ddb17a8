import { Button, Checkbox } from '@digdir/designsystemet-react';
import type { SettingsResponse } from '@proveklar/contract/settings.ts';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '#components/admin/confirm-dialog.tsx';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { getSession } from '#lib/session.ts';
import { FALLBACK } from '../settings-fields.ts';
import { type SettingsFormState, useSettingsForm } from '../use-settings-form.ts';
import { FieldGroup } from './field-group.tsx';
import { LastChanged } from './last-changed.tsx';
import styles from './settings-form.module.css';
import { TextSetting } from './text-setting.tsx';

export function SettingsForm({ settings }: { settings: SettingsResponse }) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const form = useSettingsForm(settings);
  const { changed, faults, saving } = form;
  const reason =
    faults.length > 0
      ? t('settings.failed.fields')
      : saving.isError
        ? errorText(saving.error)
        : undefined;
  return (
    <form className={styles.form} noValidate onSubmit={form.submit} aria-label={t('settings.form')}>
      <PriceFields form={form} />
      <SellerFields form={form} />
      <SupportField form={form} inUse={settings.support_email_in_use} />
      <div className={styles.end}>
        {/* Another message each time: it gets the focus, or the field that is wrong does. */}
        <FormAlert key={form.attempts}>
          {reason && (
            <>
              <strong>{t('settings.failed.update_title')}</strong>
              <p>{t('settings.failed.update', { reason })}</p>
            </>
          )}
        </FormAlert>
        <div className={styles.actions}>
          <BusyButton type="submit" busy={saving.isPending} resting={!changed}>
            {t('settings.save')}
          </BusyButton>
          {changed && (
            <Button variant="secondary" onClick={form.discard}>
              {t('settings.discard')}
            </Button>
          )}
          <p className="muted" role="status">
            {t(changed ? 'settings.unsaved' : 'settings.nothing_changed')}
          </p>
        </div>
        <LastChanged
          at={settings.updated_at}
          by={settings.updated_by}
          action="settings.updated"
          never={t('settings.never_changed')}
        />
      </div>
      <FreeServiceDialog form={form} />
      <UnsavedDialog unsaved={changed} />
    </form>
  );
}

/** Asks before the price becomes 0: nobody pays any more from that moment. */
function FreeServiceDialog({ form }: { form: SettingsFormState }) {
  const { t } = useTranslation('admin');
  return (
    <ConfirmDialog
      open={form.asking}
      title={t('settings.free.title')}
      action={t('settings.free.action')}
      busy={form.saving.isPending}
      onConfirm={form.confirm}
      onClose={form.cancel}
    >
      <p>{t('settings.free.everybody')}</p>
      <p>{t('settings.free.learners')}</p>
    </ConfirmDialog>
  );
}

/** What a payment costs and gives. What cannot be read is replaced, and that is said. */
function PriceFields({ form }: { form: SettingsFormState }) {
  const { t } = useTranslation('admin');
  const note = (name: 'price' | 'service_days') =>
    form.replaced[name] === undefined
      ? ''
      : t(`settings.replaced.${name}`, { written: form.replaced[name], count: FALLBACK[name] });
  return (
    <FieldGroup title={t('settings.group.price')} text={t('settings.group.price_text')}>
      <TextSetting
        form={form}
        name="price"
        description={t('settings.hint.price')}
        note={note('price')}
        // Not type=number: browsers drop the comma of "149,50", or do not, each as it pleases.
        field={{ inputMode: 'decimal', suffix: 'kr' }}
      />
      <TextSetting
        form={form}
        name="service_days"
        description={t('settings.hint.service_days')}
        note={note('service_days')}
        field={{ inputMode: 'numeric', suffix: t('settings.days') }}
      />
    </FieldGroup>
  );
}

type SupportFieldProps = {
  form: SettingsFormState;
  /** What learners are shown as long as nothing is written here. */
  inUse: string;
};

function SupportField({ form, inUse }: SupportFieldProps) {
  const { t } = useTranslation('admin');
  const empty = form.texts.support_email.trim() === '';
  return (
    <FieldGroup title={t('settings.group.support')} text={t('settings.group.support_text')}>
      <TextSetting
        form={form}
        name="support_email"
        wide
        description={empty ? t('settings.hint.support_email', { email: inUse }) : undefined}
        field={{ inputMode: 'email', maxLength: 254, spellCheck: false }}
      />
    </FieldGroup>
  );
}

/** Asks before somebody leaves what they have not saved, by a link, by Back or by closing the tab. */
function UnsavedDialog({ unsaved }: { unsaved: boolean }) {
  const { t } = useTranslation('admin');
  const leaving = useBlocker({
    // Whoever has signed out cannot stay.
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

/** Who sells, which the law wants learners to be told. */
function SellerFields({ form }: { form: SettingsFormState }) {
  const { t } = useTranslation('admin');
  return (
    <FieldGroup title={t('settings.group.seller')} text={t('settings.group.seller_text')}>
      <TextSetting form={form} name="seller_name" field={{ maxLength: 200 }} />
      <TextSetting
        form={form}
        name="seller_organisation_number"
        field={{ inputMode: 'numeric', maxLength: 15 }}
      />
      <TextSetting form={form} name="seller_address" wide rows={3} field={{ maxLength: 500 }} />
      <Checkbox
        className={styles.wide}
        name="seller_vat_registered"
        label={t('settings.field.seller_vat_registered')}
        description={t('settings.hint.seller_vat_registered')}
        checked={form.texts.seller_vat_registered}
        onChange={(event) => form.write({ seller_vat_registered: event.currentTarget.checked })}
      />
    </FieldGroup>
  );
}
