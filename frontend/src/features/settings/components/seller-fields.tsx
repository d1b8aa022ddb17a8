import { Checkbox } from '@digdir/designsystemet-react';
import { useTranslation } from 'react-i18next';
import type { SettingsFormState } from '../use-settings-form.ts';
import { FieldGroup } from './field-group.tsx';
import styles from './settings-form.module.css';
import { TextSetting } from './text-setting.tsx';

/** Who sells, which the law wants learners to be told. */
export function SellerFields({ form }: { form: SettingsFormState }) {
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
