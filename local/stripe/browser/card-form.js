import { brandOf, digitsOf, formatExpiry, formatNumber } from './card-fields.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Builds the fields of a card inside `root`. Names and autocomplete tokens are those of Stripe's
 * own fields, so browsers and password managers fill them in.
 */
export function buildCardForm(root, messages, { hidePostalCode, hideIcon }) {
  const form = element('div', 'form', { role: 'group', 'aria-label': messages.form });
  const line = element('div', 'line');
  const rest = element('div', 'rest');
  const inputs = {
    number: field('number', 'cardnumber', 'cc-number', messages.number, messages.numberHint),
    expiry: field('expiry', 'exp-date', 'cc-exp', messages.expiry, messages.expiryHint),
    cvc: field('cvc', 'cvc', 'cc-csc', messages.cvc, messages.cvcHint),
    postal: field('postal', 'postal', 'billing postal-code', messages.postal, messages.postalHint),
  };
  inputs.cvc.maxLength = 4;
  inputs.postal.maxLength = 10;
  if (!hideIcon) line.append(cardIcon());
  line.append(inputs.number);
  rest.append(inputs.expiry, inputs.cvc);
  if (!hidePostalCode) rest.append(inputs.postal);
  form.append(line, rest);
  root.append(form);
  return { form, inputs };
}

/** Rewrites what was just typed as it is printed on a card, and keeps the caret where it was. */
export function formatInput(name, input, deleting) {
  if (name === 'postal') return;
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

/** The most digits that the security code of this number has. */
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

function field(className, name, autocomplete, label, hint) {
  return element('input', className, {
    name,
    autocomplete,
    'aria-label': label,
    placeholder: hint,
    type: 'text',
    inputmode: className === 'postal' ? 'text' : 'numeric',
    autocorrect: 'off',
    spellcheck: 'false',
    'aria-invalid': 'false',
  });
}

function element(tag, className, attributes = {}) {
  const node = document.createElement(tag);
  node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function cardIcon() {
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('class', 'icon');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('fill', 'none');
  path.setAttribute('stroke', 'currentColor');
  path.setAttribute('stroke-width', '1.5');
  path.setAttribute(
    'd',
    'M4.5 5.5h15a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM2.5 9.5h19M6 15h4',
  );
  icon.append(path);
  return icon;
}
