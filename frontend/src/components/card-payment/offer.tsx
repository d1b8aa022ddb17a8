import { Checkbox } from '@digdir/designsystemet-react';
import { ExternalLinkIcon } from '@navikt/aksel-icons';
import { CONSENT_TEXTS, CURRENT_CONSENT } from '@proveklar/contract/consent-texts.ts';
import { sellerLine } from '@proveklar/contract/page.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '#i18n/i18n.ts';
import { configQuery } from '#lib/config.ts';
import { formatKroner, formatNok } from '#lib/format.ts';
import styles from './card-payment.module.css';

/** What is bought: days for the buyer, or a packet of codes for others. */
export type Purchase = 'days' | 'packet';

/**
 * The terms of a purchase, and the seller. Links open a new tab, so that typed input is not lost. A school or an employer is
 * no consumer: it has no right of withdrawal, but gets the money back for codes that are not used.
 */
export function PurchaseTerms({ of = 'days' }: { of?: Purchase | undefined }) {
  const { t } = useTranslation(['translation', 'purchase']);
  const { data: config } = useQuery(configQuery);
  const seller = sellerLine(config?.seller);
  const isPacket = of === 'packet';
  return (
    <div className={styles.terms}>
      <p>{t(isPacket ? 'purchase:payment.packet_refund' : 'payment.no_subscription')}</p>
      <p>
        {t('payment.terms_before')}{' '}
        <a
          className="ds-link"
          href={isPacket ? '/vilkar#koder' : '/vilkar'}
          target="_blank"
          rel="noreferrer"
        >
          {t(`purchase:payment.${isPacket ? 'packet_terms' : 'terms'}`)}
          <NewTabIcon />
        </a>
        .
        {!isPacket && (
          <>
            {' '}
            <a className="ds-link tap" href="/angrerett" target="_blank" rel="noreferrer">
              {t('purchase:payment.withdrawal')}
              <NewTabIcon />
            </a>
          </>
        )}
      </p>
      {seller && <p>{t('purchase:payment.seller', { seller })}</p>}
    </div>
  );
}

/** The version of the consent text that is shown. */
export const currentConsent = () => CURRENT_CONSENT[currentLanguage()];

type ConsentBoxProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** How often the user has tried to continue without consent; each time the box gets the focus. */
  refused: number;
};

/** Asks for consent to an immediate start. Never ticked in advance: the law requires an active choice. */
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

/** The state of the consent box, which is unticked at first. */
export function useConsent() {
  const [checked, setChecked] = useState(false);
  const [refused, setRefused] = useState(0);

  /** @returns whether consent is given; if not, the box shows an error */
  function isGiven(): boolean {
    if (!checked) setRefused((times) => times + 1);
    return checked;
  }

  return { isGiven, box: { checked, refused, onChange: setChecked } };
}

/**
 * Formats an amount (øre) to be paid: with "incl. VAT" only if it includes VAT. The steps of a learner keep the specified
 * format; a packet has that of all other pages.
 */
export function usePriceText(of: Purchase = 'days'): (ore: number) => string {
  const { t, i18n } = useTranslation();
  const { data: config } = useQuery(configQuery);
  return (ore) => {
    const price =
      of === 'packet' ? formatKroner(ore / 100, i18n.language) : formatNok(ore, i18n.language);
    return config?.price_includes_vat ? t('payment.price_vat', { price }) : price;
  };
}

/** A link to the payment search. In a new tab, because the payment in this one may still succeed. */
export function PaidLink() {
  const { t } = useTranslation('purchase');
  return (
    <p>
      <a className="ds-link" href="/betalt" target="_blank" rel="noreferrer">
        {t('payment.paid_link')}
        <NewTabIcon />
      </a>
    </p>
  );
}

/** Says in a picture, and to screen readers in words, that a link opens a new tab. */
function NewTabIcon() {
  const { t } = useTranslation('purchase');
  return (
    <>
      <ExternalLinkIcon aria-hidden className={styles.newTab} />
      <span className="ds-sr-only"> ({t('payment.new_tab')})</span>
    </>
  );
}
