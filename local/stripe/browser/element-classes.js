const CLASSES = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
};

/** The classes of the container by state, a list for each; a page may choose its own. */
export function elementClasses(chosen) {
  const entries = Object.entries({ ...CLASSES, ...chosen });
  return Object.fromEntries(
    entries.map(([state, text]) => [state, text.split(/\s+/).filter((word) => word !== '')]),
  );
}
