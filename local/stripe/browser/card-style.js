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

/** In which state each variant of the `style` option applies. */
const VARIANTS = {
  base: 'input',
  complete: '.form.complete input',
  empty: '.form.empty input',
  invalid: "input[aria-invalid='true']",
};

/**
 * The style sheet of one card form. A constructed sheet, written through the CSSOM, so that it
 * needs no exception in the page's Content-Security-Policy and no value can break out of its rule.
 */
export function cardSheet(style) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAYOUT);
  for (const [variant, selector] of Object.entries(VARIANTS)) {
    const {
      ':hover': hover,
      ':focus': focus,
      '::placeholder': placeholder,
      ':disabled': disabled,
      ...plain
    } = style?.[variant] ?? {};
    addRule(sheet, selector, plain);
    addRule(sheet, `${selector}:hover`, hover);
    addRule(sheet, `${selector}:focus`, focus);
    addRule(sheet, `${selector}::placeholder`, placeholder);
    addRule(sheet, `${selector}:disabled`, disabled);
  }
  return sheet;
}

function addRule(sheet, selector, properties) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (!ALLOWED.has(name)) continue;
    const isIcon = name === 'iconColor';
    const index = sheet.insertRule(`${isIcon ? '.icon' : selector} {}`, sheet.cssRules.length);
    sheet.cssRules[index].style.setProperty(isIcon ? 'color' : cssName(name), value);
  }
}

function cssName(name) {
  if (name === 'fontSmoothing') return '-webkit-font-smoothing';
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
