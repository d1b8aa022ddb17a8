import { brandOf, digitsOf, problemOf } from './card-rules.js';

/**
 * The form's `state` for a change event, and the fields of `names` to mark as invalid. An incomplete field is
 * marked only after it was `left`.
 */
export function cardState(inputs, names, left, messages) {
  const problems = names.map((name) => ({ name, code: problemOf(inputs, name) }));
  const shown = problems.filter(
    ({ name, code }) => code !== null && (left.has(name) || !code.startsWith('incomplete')),
  );
  const code = shown[0]?.code;
  const state = {
    empty: names.every((name) => inputs[name].value === ''),
    complete: problems.every((problem) => problem.code === null),
    error:
      code === undefined
        ? undefined
        : { type: 'validation_error', code, message: messages.errors[code] },
    value: { postalCode: inputs.postal.value },
    brand: brandOf(digitsOf(inputs.number.value)).brand,
  };
  return { state, wrong: shown.map(({ name }) => name) };
}

const CARD_LAYOUT = `
  :host { display: block; container-type: inline-size; }
  .form, .line, .rest { display: flex; align-items: center; gap: 4px 12px; }
  .form { flex-wrap: wrap; }
  .line { flex: 1 1 13em; min-width: 0; }
  .rest { flex: 0 0 auto; box-sizing: border-box; }
  .icon { flex: none; width: 24px; height: 24px; color: #5b6675; }
  input {
    box-sizing: border-box; width: 100%; min-width: 0; min-height: 1.75em; margin: 0; padding: 0;
    border: 0; border-radius: 0; outline: 0; background: transparent; appearance: none;
    color: #1a2433; font: 16px/1.4 system-ui, sans-serif;
  }
  input::placeholder { color: #5b6675; opacity: 1; }
  input:focus { box-shadow: 0 2px 0 0 currentColor; }
  input:disabled { opacity: 0.6; cursor: not-allowed; }
  input[aria-invalid='true'] { color: #b3121d; }
  .expiry { width: 5.5em; }
  .cvc { width: 3.5em; }
  .postal { width: 6.5em; }
  @container (max-width: 400px) {
    .rest { flex-basis: 100%; padding-inline-start: 36px; }
    .rest input { flex: 1 1 0; }
  }
`;

/** The properties of Stripe's `style` option. Source: https://docs.stripe.com/js/appendix/style */
const ALLOWED = new Set([
  'backgroundColor',
  'color',
  'fontFamily',
  'fontSize',
  'fontSmoothing',
  'fontStyle',
  'fontVariant',
  'fontWeight',
  'iconColor',
  'letterSpacing',
  'lineHeight',
  'padding',
  'textAlign',
  'textDecoration',
  'textShadow',
  'textTransform',
]);

/** The state of the form or of a field in which each variant of the `style` option applies. */
const VARIANTS = {
  base: { form: '.form', input: 'input' },
  complete: { form: '.form.complete', input: '.form.complete input' },
  empty: { form: '.form.empty', input: '.form.empty input' },
  invalid: { form: '.form.invalid', input: "input[aria-invalid='true']" },
};

/** The nested keys of a variant, and the corresponding state of the form for the icon. */
const NESTED = {
  ':hover': ':hover',
  ':focus': ':focus-within',
  ':disabled': ':has(:disabled)',
  ':-webkit-autofill': ':has(:-webkit-autofill)',
  '::placeholder': null,
  '::selection': null,
};

/**
 * The style sheet of one card form. It is a constructed sheet, written through the CSSOM, so that it needs no
 * exception in the page's Content-Security-Policy and no value can break out of its rule.
 */
export function cardSheet(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CARD_LAYOUT);
  for (const [variant, { form, input }] of Object.entries(VARIANTS)) {
    addRules(sheet, style?.[variant], input, `${form} .icon`);
    for (const [pseudo, state] of Object.entries(NESTED)) {
      const icon = state === null ? null : `${form}${state} .icon`;
      addRules(sheet, style?.[variant]?.[pseudo], `${input}${pseudo}`, icon);
    }
  }
  return sheet;
}

/** The icon has its own colour; all other styles apply to the fields. */
function addRules(sheet, properties, input, icon) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    const isIcon = name === 'iconColor';
    const selector = isIcon ? icon : input;
    if (!ALLOWED.has(name) || selector === null) continue;
    const index = sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
    sheet.cssRules[index].style.setProperty(isIcon ? 'color' : cssName(name), value);
  }
}

function cssName(name) {
  if (name === 'fontSmoothing') return '-webkit-font-smoothing';
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Builds the card fields inside `root`. Names and autocomplete tokens are those of Stripe's fields, so that
 * browsers and password managers fill them in.
 */
export function buildCardForm(root, messages, { hidePostalCode, hideIcon }) {
  const form = element('div', 'form', { role: 'group', 'aria-label': messages.form });
  const line = element('div', 'line');
  const rest = element('div', 'rest');
  const inputs = {
    number: cardField('number', 'cardnumber', 'cc-number', messages.number, messages.numberHint),
    expiry: cardField('expiry', 'exp-date', 'cc-exp', messages.expiry, messages.expiryHint),
    cvc: cardField('cvc', 'cvc', 'cc-csc', messages.cvc, messages.cvcHint),
    postal: cardField(
      'postal',
      'postal',
      'billing postal-code',
      messages.postal,
      messages.postalHint,
    ),
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

function cardField(className, name, autocomplete, label, hint) {
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
