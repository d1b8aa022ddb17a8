import type { SettingsResponse } from '@proveklar/contract/settings.ts';
import { Button } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import { BusyButton } from '#components/busy-button.tsx';
import { FormAlert } from '#components/form-alert.tsx';
import { useErrorText } from '#lib/error-text.ts';
import { useSettingsForm } from '../use-settings-form.ts';
import { FreeServiceDialog } from './free-service-dialog.tsx';
import { LastChanged } from './last-changed.tsx';
import { PriceFields } from './price-fields.tsx';
import { SellerFields } from './seller-fields.tsx';
import styles from './settings-form.module.css';
import { SupportField } from './support-field.tsx';
import { UnsavedDialog } from './unsaved-dialog.tsx';

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
