import type { ConfigResponse } from '@proveklar/contract/config.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';
import { formatKroner, type PageValues, type PriceWording } from '@proveklar/contract/page.ts';

// Pages are rendered with values that occur nowhere else, which are then replaced by their names.
const PRICE = 73_519.46;
const DAYS = 8_642;
const SUPPORT_EMAIL = 'stand-in@support.invalid';
const SELLER = 'stand-in-for-the-seller';

const config: ConfigResponse = {
  identity: { api_key: '', auth_domain: '', project_id: '', emulator_url: null },
  stripe: { publishable_key: '', script_url: null },
  support_email: SUPPORT_EMAIL,
  seller: { name: SELLER, organisation_number: null, address: null, vat_registered: false },
  price: PRICE,
  price_includes_vat: true,
  currency: 'nok',
  // No page that is built shows them.
  languages: [],
  service_days: DAYS,
};

/** The configuration that each wording of the price is rendered with. */
export const STAND_INS: Record<PriceWording, ConfigResponse> = {
  free: { ...config, price: 0 },
  day: { ...config, service_days: 1 },
  days: config,
  'day-without-vat': { ...config, service_days: 1, price_includes_vat: false },
  'days-without-vat': { ...config, price_includes_vat: false },
};

/** Puts `{{name}}` where a stand-in was rendered. */
export function openValues(
  markup: string,
  language: AppLanguage,
  { price }: ConfigResponse,
): string {
  const open = (text: string, from: string, name: keyof PageValues) =>
    text.replaceAll(from, `{{${name}}}`);
  const withPrice = price === 0 ? markup : open(markup, formatKroner(price, language), 'price');
  const withDays = open(withPrice, String(DAYS), 'days');
  return open(open(withDays, SUPPORT_EMAIL, 'support_email'), SELLER, 'seller');
}
