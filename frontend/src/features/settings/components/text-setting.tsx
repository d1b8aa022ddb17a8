import { Textfield, type TextfieldProps } from '@digdir/designsystemet-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsField } from '../settings-fields.ts';
import type { SettingsFormState } from '../use-settings-form.ts';
import styles from './settings-form.module.css';

type TextSettingProps = {
  form: SettingsFormState;
  name: Exclude<SettingsField, 'seller_vat_registered'>;
  description?: ReactNode;
  /** Said aloud when it changes. */
  note?: string;
  wide?: boolean;
  /** Of so many lines; else of one. */
  rows?: number;
  field?: Pick<TextfieldProps, 'inputMode' | 'maxLength' | 'spellCheck' | 'suffix'>;
};

/** A field of the settings: its name, what is written in it, and what is wrong with that. */
export function TextSetting({
  form,
  name,
  description,
  note,
  wide,
  rows,
  field,
}: TextSettingProps) {
  const { t } = useTranslation('admin');
  const shared = {
    ...field,
    name,
    label: t(`settings.field.${name}`),
    description,
    autoComplete: 'off',
    value: form.texts[name],
    error: form.faults.includes(name) && t(`settings.fault.${name}`),
    onChange: (event: { currentTarget: { value: string } }) =>
      form.write({ [name]: event.currentTarget.value }),
    onBlur: () => void form.normalise(),
  };
  return (
    <div className={wide ? styles.wide : undefined}>
      {rows ? <Textfield {...shared} multiline rows={rows} /> : <Textfield {...shared} />}
      {note !== undefined && (
        <p role="status" className={styles.note}>
          {note}
        </p>
      )}
    </div>
  );
}
