import { StripeProblem } from '../errors.ts';
import { readText, requireInteger, requireText } from '../params.ts';
import type { Params } from '../params.ts';
import type { Card } from './cards.ts';
import { cardWithNumber } from './test-cards.ts';

/**
 * The card in `card[number]`, `card[exp_month]`, `card[exp_year]`, `card[cvc]`.
 * @throws StripeProblem 402 where Stripe finds the data wrong before any charge is tried
 */
export function readCard(params: Params): Card {
  const number = requireText(params, 'number').replaceAll(/[\s-]/g, '');
  const month = requireInteger(params, 'exp_month');
  const year = fullYear(requireInteger(params, 'exp_year'));
  const cvc = readText(params, 'cvc');

  if (!/^\d{12,19}$/.test(number)) {
    throw wrongCard(
      'invalid_number',
      'The card number is not a valid credit card number.',
      'number',
    );
  }
  if (!passesLuhn(number)) {
    throw wrongCard('incorrect_number', 'Your card number is incorrect.', 'number');
  }
  if (month < 1 || month > 12) {
    throw wrongCard(
      'invalid_expiry_month',
      "Your card's expiration month is invalid.",
      'exp_month',
    );
  }
  const now = new Date();
  if (year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1 || year > 2100) {
    throw wrongCard('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  }
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) {
    throw wrongCard('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  }
  return cardWithNumber(number, month, year);
}

/** Whether the check digit of a card number is right (ISO/IEC 7812-1, annex B). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

function wrongCard(code: string, message: string, param: string): StripeProblem {
  return new StripeProblem(402, { type: 'card_error', code, message, param }, true);
}
