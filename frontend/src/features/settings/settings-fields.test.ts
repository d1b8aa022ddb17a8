import type { SettingsResponse } from '@proveklar/contract/settings.ts';
import { expect, test } from 'vitest';
import { changesOf, faultsOf, normalised, textsOf } from './settings-fields.ts';

const settings: SettingsResponse = {
  price: 149,
  service_days: 30,
  seller_name: null,
  seller_organisation_number: '923609016',
  seller_address: null,
  seller_vat_registered: false,
  support_email: null,
  support_email_in_use: 'kontakt@example.no',
  updated_at: null,
  updated_by: null,
};

test('unchanged fields change nothing', () => {
  expect(changesOf(textsOf(settings, 'no'), settings)).toEqual({});
  expect(changesOf({ price: '149', seller_organisation_number: '923 609 016' }, settings)).toEqual(
    {},
  );
  expect(changesOf({ seller_name: '  ' }, settings)).toEqual({});
});

test('only changed fields are sent, and an emptied one as null', () => {
  const draft = { ...textsOf(settings, 'en'), price: '199,50', seller_organisation_number: '' };
  expect(changesOf(draft, settings)).toEqual({ price: 199.5, seller_organisation_number: null });
});

test('an invalid price becomes 0, and invalid days become 30', () => {
  expect(normalised({ price: 'a lot', service_days: '0' }, 'no')).toEqual({
    price: '0,00',
    service_days: '30',
  });
  expect(normalised({ price: '149.5', service_days: '7' }, 'no')).toEqual({});
  expect(normalised({}, 'no')).toEqual({});
});

test('values that the API would refuse are found before a request', () => {
  expect(faultsOf({ price: 2.99 })).toEqual(['price']);
  expect(faultsOf({ price: 100_000, service_days: 4000 })).toEqual(['price', 'service_days']);
  expect(faultsOf({ seller_organisation_number: '12', support_email: 'a@b' })).toEqual([
    'seller_organisation_number',
    'support_email',
  ]);
  expect(faultsOf({ price: 0, support_email: null, service_days: 1 })).toEqual([]);
});
