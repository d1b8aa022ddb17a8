import type { ConfigResponse } from './config.ts';

/**
 * Who sells, on one line: "Prøveklar AS · Org.nr. 923 609 016 MVA · Storgata 1, 0155 Oslo". Empty
 * until an administrator has said it. Norwegian usage in both languages, as for prices; the gateway
 * writes it into a page and the browser writes it again, so they share it.
 */
export function sellerLine(seller: ConfigResponse['seller'] | undefined): string {
  if (!seller) return '';
  const { name, organisation_number: number, address, vat_registered: vat } = seller;
  const digits = number?.replaceAll(/\d{3}(?=\d)/gu, '$&\u00a0');
  return [
    name,
    digits && `Org.nr.\u00a0${digits}${vat ? '\u00a0MVA' : ''}`,
    address
      ?.split(/\n/u)
      .map((line) => line.trim())
      .filter(Boolean)
      .join(', '),
  ]
    .filter(Boolean)
    .join(' · ');
}
