import { formatKroner } from '@proveklar/contract/formats.ts';
import { reasonOf } from '@proveklar/services/errors/reason-of.ts';
import { readQuizActivity } from '@proveklar/services/quiz/quiz-history.ts';
import { isOrganisationNumber } from '@proveklar/services/settings/change-settings.ts';
import {
  missingSellerDetails,
  readSettings,
  type Settings,
  toPriceInOre,
} from '@proveklar/services/settings/settings.ts';
import { fault, type Finding, ok, warning } from '#status/finding.ts';
import { evaluatePractice } from '#status/evaluate-service.ts';
import { type Check, withDatabase } from './installation.ts';

/** Whether there are questions to practise with; a new database has none. */
export const bank: Check = {
  name: 'Bank',
  run: (installation) =>
    withDatabase(installation, async (db) => [
      evaluatePractice({ quizzes: await readQuizActivity(db) }),
    ]),
};

/** The price and the seller, from the admin settings. */
export const offer: Check = {
  name: 'Offer',
  run: (installation) =>
    withDatabase(installation, async (db) => {
      const settings = await readSettings(db);
      return [evaluatePrice(settings), evaluateSeller(settings, installation.isProduction)];
    }),
};

function evaluatePrice({ price_ore: priceOre, service_days: days }: Settings): Finding {
  if (priceOre === 0) {
    return warning(
      'the service is free of charge',
      'Set the price in the admin portal, Settings, unless that is meant.',
    );
  }
  try {
    toPriceInOre(priceOre / 100);
  } catch (error) {
    return fault(reasonOf(error), 'Set another price in the admin portal, Settings.');
  }
  return ok(`${formatKroner(priceOre / 100, 'en')} for ${days} days`);
}

function evaluateSeller(settings: Settings, isProduction: boolean): Finding {
  const { price_ore: priceOre, seller_name: name, seller_organisation_number: number } = settings;
  const missing = missingSellerDetails(settings);
  if (!name || !number || missing.length > 0) {
    const finding = isProduction && priceOre > 0 ? fault : warning;
    return finding(
      `the seller has no ${missing.join(', ')}: no live payment is taken without, because the law requires it`,
      'Enter it in the admin portal, Settings.',
    );
  }
  if (!isOrganisationNumber(number)) {
    return fault(
      `the seller's organisation number is invalid: ${number}`,
      'Correct it in the admin portal, Settings.',
    );
  }
  const vat = settings.seller_vat_registered
    ? 'the price includes 25 % VAT'
    : 'without VAT: the seller is not registered for it';
  return ok(`sold by ${name}, ${vat}`);
}
