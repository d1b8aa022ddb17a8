import { useTranslation } from 'react-i18next';
import type { SettingsFormState } from '../use-settings-form.ts';
import { FieldGroup } from './field-group.tsx';
import { TextSetting } from './text-setting.tsx';

type SupportFieldProps = {
  form: SettingsFormState;
  /** What learners are shown as long as nothing is written here. */
  inUse: string;
};

export function SupportField({ form, inUse }: SupportFieldProps) {
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
