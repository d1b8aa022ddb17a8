import { Checkbox } from '@digdir/designsystemet-react';
import { CONSENT_TEXTS, CURRENT_CONSENT } from '@proveklar/contract/consent-texts.ts';
import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { formatNok } from '#lib/format.ts';
import styles from './card-payment.module.css';

/** What one agrees to by buying, and with whom. Links open another tab: here, what was typed would be lost. */
export function PurchaseTerms() {
  const { t } = useTranslation(['translation', 'purchase']);
  const { data: config } = useQuery(configQuery);
  const seller = sellerLine(config?.seller);
  return (
    <div className={styles.terms}>
      <p>{t('payment.no_subscription')}</p>
      <p>
        {t('payment.terms_before')}{' '}
        <a className="ds-link" href="/vilkar" target="_blank" rel="noreferrer">
          {t('purchase:payment.terms')}
        </a>
        .{' '}
        <a className="ds-link tap" href="/angrerett" target="_blank" rel="noreferrer">
          {t('purchase:payment.withdrawal')}
        </a>
      </p>
      {seller && <p>{t('purchase:payment.seller', { seller })}</p>}
    </div>
  );
}

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

/** The box that must be ticked before going on, unticked at first. */
export function useConsent() {
  const [checked, setChecked] = useState(false);
  const [refused, setRefused] = useState(0);

  /** @returns whether one may go on; otherwise the box says what is missing */
  function isGiven(): boolean {
    if (!checked) setRefused((times) => times + 1);
    return checked;
  }

  return { isGiven, box: { checked, refused, onChange: setChecked } };
}

/** Writes an amount (øre) as one is about to pay it: with "incl. VAT" only where there is VAT in it. */
export function usePriceText(): (ore: number) => string {
  const { t, i18n } = useTranslation();
  const { data: config } = useQuery(configQuery);
  return (ore) => {
    const price = formatNok(ore, i18n.language);
    return config?.price_includes_vat ? t('payment.price_vat', { price }) : price;
  };
}

/** To the page that looks for a payment. In another tab: this one may still get there. */
export function PaidLink() {
  const { t } = useTranslation('purchase');
  return (
    <p>
      <a className="ds-link" href="/betalt" target="_blank" rel="noreferrer">
        {t('payment.paid_link')}
      </a>
    </p>
  );
}
