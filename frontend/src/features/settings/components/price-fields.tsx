import { useTranslation } from 'react-i18next';
import { FALLBACK } from '../settings-fields.ts';
import type { SettingsFormState } from '../use-settings-form.ts';
import { FieldGroup } from './field-group.tsx';
import { TextSetting } from './text-setting.tsx';

/** What a payment costs and gives. What cannot be read is replaced, and that is said. */
export function PriceFields({ form }: { form: SettingsFormState }) {
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
