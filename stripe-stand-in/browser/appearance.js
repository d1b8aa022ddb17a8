import { integrationError } from './messages.js';

/** The variables of each theme, light or dark, as far as the form uses them. */
const LIGHT = {
  colorPrimary: '#0570de',
  colorBackground: '#ffffff',
  colorText: '#30313d',
  colorTextSecondary: '#5b6675',
  colorTextPlaceholder: '#6d6e78',
  colorDanger: '#c0123c',
  fontFamily: 'system-ui, sans-serif',
  fontSizeBase: '16px',
  fontSizeSm: '0.93em',
  borderRadius: '5px',
  spacingUnit: '4px',
  colorScheme: 'light',
};
const THEMES = {
  stripe: LIGHT,
  flat: LIGHT,
  night: {
    ...LIGHT,
    colorPrimary: '#85d996',
    colorBackground: '#30313d',
    colorText: '#ffffff',
    colorTextSecondary: '#e0e0e0',
    colorTextPlaceholder: '#b5b5be',
    colorDanger: '#fe87a1',
    colorScheme: 'dark',
  },
};

const LAYOUT = `
  :host {
    display: block; color-scheme: var(--colorScheme); color: var(--colorText);
    font: var(--fontSizeBase)/1.4 var(--fontFamily);
  }
  .form, .method { display: grid; gap: calc(var(--spacingUnit) * 3); }
  .pair { display: flex; flex-wrap: wrap; gap: calc(var(--spacingUnit) * 3); }
  .pair > * { flex: 1 1 8em; min-width: 0; }
  [hidden] { display: none; }
  .Label { display: block; margin-bottom: var(--spacingUnit); font-size: var(--fontSizeSm); }
  .Input {
    box-sizing: border-box; width: 100%; min-height: 44px; margin: 0; appearance: none;
    padding: calc(var(--spacingUnit) * 2) calc(var(--spacingUnit) * 3); border: 1px solid currentcolor;
    border-radius: var(--borderRadius); color: inherit; background: var(--colorBackground); font: inherit;
  }
  .Input::placeholder { color: var(--colorTextPlaceholder); opacity: 1; }
  .Input:focus { outline: 2px solid var(--colorPrimary); outline-offset: 1px; }
  .Input--invalid { border-color: var(--colorDanger); color: var(--colorDanger); }
  .Error { margin: var(--spacingUnit) 0 0; color: var(--colorDanger); font-size: var(--fontSizeSm); }
  .AccordionItem {
    display: grid; padding: calc(var(--spacingUnit) * 3); border: 1px solid currentcolor;
    border-radius: var(--borderRadius); background: var(--colorBackground);
  }
  .choice { display: flex; align-items: center; gap: calc(var(--spacingUnit) * 2); min-height: 44px; }
  .choice input { width: 1.25em; height: 1.25em; margin: 0; accent-color: var(--colorPrimary); }
  .note { margin: 0; color: var(--colorTextSecondary); }
  .skeleton { height: 44px; border-radius: var(--borderRadius); background: currentcolor; opacity: 0.1; }
`;

/** Selectors of `rules`: a class of the form, with states, as `.Input--invalid` or `.Input:focus`. */
const SELECTOR = /^\.[A-Z]\w*(--\w+)?(::?[a-z-]+)*$/;
const PROPERTIES = new Set([
  'backgroundColor',
  'border',
  'borderColor',
  'borderRadius',
  'boxShadow',
  'color',
  'fontFamily',
  'fontSize',
  'fontWeight',
  'letterSpacing',
  'lineHeight',
  'marginBottom',
  'opacity',
  'outline',
  'outlineOffset',
  'padding',
]);

/**
 * The style sheet for Stripe's `appearance` option. It is a constructed sheet, written through the CSSOM, so
 * that it needs no exception in the page's Content-Security-Policy and no value can break out of its rule.
 * Source: https://docs.stripe.com/elements/appearance-api
 */
export function appearanceSheet({ theme = 'stripe', variables = {}, rules = {} } = {}) {
  if (!Object.hasOwn(THEMES, theme)) {
    throw integrationError(
      `Invalid value for elements(): appearance.theme should be one of ${Object.keys(THEMES).join(', ')}.`,
    );
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAYOUT);
  const own = addedRule(sheet, ':host');
  for (const [name, value] of Object.entries({ ...THEMES[theme], ...variables })) {
    own.setProperty(`--${name}`, value);
  }
  for (const [selector, properties] of Object.entries(rules)) {
    if (!SELECTOR.test(selector)) {
      console.warn(`appearance.rules: ${selector} is not a supported selector.`);
      continue;
    }
    const rule = addedRule(sheet, selector);
    for (const [name, value] of Object.entries(properties)) {
      if (PROPERTIES.has(name)) rule.setProperty(kebabCase(name), value);
      else console.warn(`appearance.rules: ${name} is not a supported property.`);
    }
  }
  return sheet;
}

function addedRule(sheet, selector) {
  const index = sheet.insertRule(`${selector} {}`, sheet.cssRules.length);
  return sheet.cssRules[index].style;
}

function kebabCase(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
