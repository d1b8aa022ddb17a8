import { CONSENT_TEXTS, CURRENT_CONSENT } from '@proveklar/contract/consent-texts.ts';
import { Checkbox } from '@digdir/designsystemet-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';

/** The text that is agreed to now. */
export const currentConsent = () => CURRENT_CONSENT[currentLanguage()];

type ConsentBoxProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** How often one has tried to go on without it; each time the box gets the focus. */
  refused: number;
};

/** Asks that the service starts at once. Never ticked beforehand: the law wants it to be asked for. */
export function ConsentBox({ checked, onChange, refused }: ConsentBoxProps) {
  const { t } = useTranslation('purchase');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (refused > 0) box.current?.focus();
  }, [refused]);
  return (
    <Checkbox
      ref={box}
      label={CONSENT_TEXTS[currentConsent()].text}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      error={refused > 0 && !checked && t('payment.consent_missing')}
    />
  );
}
