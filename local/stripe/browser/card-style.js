const LAYOUT = `
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

/** What Stripe's `style` option may set. Source: https://docs.stripe.com/js/appendix/style */
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

/** In which state of the form or of a field each variant of the `style` option applies. */
const VARIANTS = {
  base: { form: '.form', input: 'input' },
  complete: { form: '.form.complete', input: '.form.complete input' },
  empty: { form: '.form.empty', input: '.form.empty input' },
  invalid: { form: '.form.invalid', input: "input[aria-invalid='true']" },
};

/** What a variant may hold besides properties, and the state of the form that it is for the icon. */
const NESTED = {
  ':hover': ':hover',
  ':focus': ':focus-within',
  ':disabled': ':has(:disabled)',
  ':-webkit-autofill': ':has(:-webkit-autofill)',
  '::placeholder': null,
  '::selection': null,
};

/**
 * The style sheet of one card form. A constructed sheet, written through the CSSOM, so that it
 * needs no exception in the page's Content-Security-Policy and no value can break out of its rule.
 */
export function cardSheet(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAYOUT);
  for (const [variant, { form, input }] of Object.entries(VARIANTS)) {
    addRules(sheet, style?.[variant], input, `${form} .icon`);
    for (const [pseudo, state] of Object.entries(NESTED)) {
      const icon = state === null ? null : `${form}${state} .icon`;
      addRules(sheet, style?.[variant]?.[pseudo], `${input}${pseudo}`, icon);
    }
  }
  return sheet;
}

/** The icon has a colour of its own; everything else is of the fields. */
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
