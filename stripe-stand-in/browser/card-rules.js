/** The rules of a card's number, expiry and security code. */

const BRANDS = [
  { brand: 'visa', pattern: /^4/, length: 16, cvc: 3 },
  {
    brand: 'mastercard',
    pattern: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    length: 16,
    cvc: 3,
  },
  { brand: 'amex', pattern: /^3[47]/, length: 15, cvc: 4 },
  { brand: 'discover', pattern: /^(6011|64[4-9]|65)/, length: 16, cvc: 3 },
  { brand: 'diners', pattern: /^3(0[0-5]|6|8)/, length: 14, cvc: 3 },
  { brand: 'jcb', pattern: /^35(2[89]|[3-8])/, length: 16, cvc: 3 },
  { brand: 'unionpay', pattern: /^62/, length: 16, cvc: 3 },
];
const UNKNOWN = { brand: 'unknown', length: 16, cvc: 3 };

export function digitsOf(text) {
  return text.replaceAll(/\D/g, '');
}

/** The brand of a number by its first digits, with the lengths of number and security code. */
function brandOf(number) {
  return BRANDS.find(({ pattern }) => pattern.test(number)) ?? UNKNOWN;
}

/** `4242 4242 4242 4242`, or `3782 822463 10005`. */
function formatNumber(text) {
  const digits = digitsOf(text);
  const { brand, length } = brandOf(digits);
  const kept = digits.slice(0, length);
  const groups = brand === 'amex' || brand === 'diners' ? [4, 6, 5] : [4, 4, 4, 4];
  let from = 0;
  const parts = groups.map((size) => kept.slice(from, (from += size)));
  return parts.filter((part) => part !== '').join(' ');
}

/** Formats what was typed, pasted (`12/2031`) or filled in by the browser as `MM / YY`. */
function formatExpiry(text, deleting) {
  const typed =
    /^\s*([2-9])(?!\d)/.test(text) || /^\s*1\s*\//.test(text) ? `0${text.trim()}` : text;
  let digits = digitsOf(typed);
  // 13 is not a month: the second digit belongs to the year.
  if (/^1[3-9]/.test(digits)) digits = `0${digits}`;
  const year = digits.length >= 6 ? digits.slice(4, 6) : digits.slice(2, 4);
  const month = digits.slice(0, 2);
  if (year !== '') return `${month} / ${year}`;
  return month.length === 2 && !deleting ? `${month} / ` : month;
}

/** The error of a field: `incomplete_…`, `invalid_…`, or null. */
function numberProblem(text) {
  const digits = digitsOf(text);
  if (digits.length < brandOf(digits).length) return 'incomplete_number';
  return passesLuhn(digits) ? null : 'invalid_number';
}

function expiryProblem(text, now = new Date()) {
  const digits = digitsOf(text);
  if (digits.length < 4) return 'incomplete_expiry';
  const { month, year } = expiryOf(text);
  if (month < 1 || month > 12) return 'invalid_expiry_month';
  if (year < now.getFullYear()) return 'invalid_expiry_year_past';
  if (year > now.getFullYear() + 50) return 'invalid_expiry_year';
  const isPast = year === now.getFullYear() && month < now.getMonth() + 1;
  return isPast ? 'invalid_expiry_month_past' : null;
}

function cvcProblem(text, number) {
  return text.length < brandOf(digitsOf(number)).cvc ? 'incomplete_cvc' : null;
}

export function expiryOf(text) {
  const digits = digitsOf(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
}

function passesLuhn(digits) {
  let sum = 0;
  for (const [index, digit] of digits.split('').toReversed().entries()) {
    const weighted = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** The error of a field, or null. */
export function problemOf({ number, expiry, cvc }, name) {
  if (name === 'number') return numberProblem(number.value);
  if (name === 'expiry') return expiryProblem(expiry.value);
  return cvcProblem(cvc.value, number.value);
}

/** Formats the typed text as printed on a card, and keeps the position of the caret. */
export function formatInput(name, input, deleting) {
  const caret = input.selectionStart ?? input.value.length;
  const digitsBefore = digitsOf(input.value.slice(0, caret)).length;
  const atEnd = caret === input.value.length;
  const formatted = format(name, input.value, deleting);
  if (formatted === input.value) return;
  input.value = formatted;
  if (atEnd) return;
  const position = positionAfter(formatted, digitsBefore);
  input.setSelectionRange(position, position);
}

/** The maximum number of digits of the security code for this card number. */
export function cvcLength(number) {
  const { brand, cvc } = brandOf(digitsOf(number));
  return brand === 'unknown' ? 4 : cvc;
}

function format(name, text, deleting) {
  if (name === 'number') return formatNumber(text);
  return name === 'expiry' ? formatExpiry(text, deleting) : digitsOf(text);
}

function positionAfter(text, digits) {
  let seen = 0;
  let position = 0;
  while (seen < digits && position < text.length) {
    if (/\d/.test(text[position])) seen += 1;
    position += 1;
  }
  return position;
}
