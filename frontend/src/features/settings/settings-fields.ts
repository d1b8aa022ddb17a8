import { languageTag } from '@proveklar/contract/language.ts';
import { MIN_PRICE_NOK } from '@proveklar/contract/limits.ts';
import { SettingsRequest, type SettingsResponse } from '@proveklar/contract/settings.ts';
import { faultyFields } from '#components/admin/faulty-fields.ts';
import { readPrice, readWhole } from './read-number.ts';

/** The texts in the fields. */
export type SettingsTexts = {
  price: string;
  service_days: string;
  seller_name: string;
  seller_organisation_number: string;
  seller_address: string;
  seller_vat_registered: boolean;
  support_email: string;
};
export type SettingsField = keyof SettingsTexts;
export type SettingsDraft = Partial<SettingsTexts>;

/** Specified: the values that replace invalid ones. */
export const FALLBACK = { price: 0, service_days: 30 } as const;

/** 149 → "149,00"; "149.00" in the English version. */
function priceText(price: number, language: string): string {
  const text = price.toFixed(2);
  return languageTag(language) === 'en' ? text : text.replace('.', ',');
}

export function textsOf(settings: SettingsResponse, language: string): SettingsTexts {
  return {
    price: priceText(settings.price, language),
    service_days: String(settings.service_days),
    seller_name: settings.seller_name ?? '',
    seller_organisation_number: settings.seller_organisation_number ?? '',
    seller_address: settings.seller_address ?? '',
    seller_vat_registered: settings.seller_vat_registered,
    support_email: settings.support_email ?? '',
  };
}

/**
 * The fields whose text is no number, with the text that replaces it on save: specified for price and days. The form asks
 * first.
 */
export function normalised(draft: SettingsDraft, language: string): SettingsDraft {
  const { price, service_days: days } = draft;
  return {
    ...(price !== undefined && readPrice(price) === null
      ? { price: priceText(FALLBACK.price, language) }
      : {}),
    ...(days !== undefined && readWhole(days) === null
      ? { service_days: String(FALLBACK.service_days) }
      : {}),
  };
}

/** The settings that a draft changes; only these are sent. */
export function changesOf(draft: SettingsDraft, settings: SettingsResponse): SettingsRequest {
  const values = Object.entries(draft).map(([field, text]) => [field, valueOf(field, text)]);
  return Object.fromEntries(
    values.filter(([field, value]) => value !== settings[field as SettingsField]),
  ) as SettingsRequest;
}

function valueOf(field: string, text: string | boolean) {
  if (typeof text === 'boolean') return text;
  if (field === 'price') return readPrice(text) ?? FALLBACK.price;
  if (field === 'service_days') return readWhole(text) ?? FALLBACK.service_days;
  if (field === 'seller_organisation_number') return text.replaceAll(/\s/gu, '') || null;
  return text.trim() || null;
}

/** The fields that the API would refuse, as far as the page can know. */
export function faultsOf(changes: SettingsRequest): SettingsField[] {
  const { price = 0 } = changes;
  const refused = faultyFields(SettingsRequest, changes);
  // Stripe's minimum charge, which the schema does not have.
  if (price > 0 && price < MIN_PRICE_NOK) refused.push('price');
  return refused as SettingsField[];
}
