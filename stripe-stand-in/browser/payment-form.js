/** The fields of a card, with Stripe's names and autocomplete tokens, by which browsers fill them in. */
const CARD_FIELDS = {
  number: { autocomplete: 'cc-number', maxLength: 23 },
  expiry: { autocomplete: 'cc-exp', maxLength: 9 },
  cvc: { autocomplete: 'cc-csc', maxLength: 4 },
};

/**
 * Builds the form of the Payment Element inside `root`. With several payment methods each is an item with a
 * radio button, and only the chosen one is open.
 * @returns the form, the card's inputs, and the method that is chosen, which `choose` changes
 */
export function buildPaymentForm(root, types, { payment: texts }) {
  const form = node('div', 'form', { role: 'group', 'aria-label': texts.form });
  const inputs = {};
  const bodies = Object.fromEntries(types.map((type) => [type, methodBody(type, texts, inputs)]));
  const radios = {};
  if (types.length === 1) {
    form.append(...Object.values(bodies));
  } else {
    for (const type of types) form.append(accordionItem(type, bodies[type], radios, texts));
  }
  root.replaceChildren(form);

  function choose(type) {
    for (const [name, body] of Object.entries(bodies)) body.hidden = name !== type;
    for (const [name, radio] of Object.entries(radios)) radio.checked = name === type;
  }

  return { form, inputs, radios, choose };
}

/** Shown until the payment is known. */
export function showSkeleton(root) {
  const form = node('div', 'form', { 'aria-hidden': 'true' });
  form.append(node('div', 'skeleton'), node('div', 'skeleton'));
  root.replaceChildren(form);
}

/** Shows the error of a field below it, or removes it. */
export function showFieldError(input, message) {
  const isWrong = message !== undefined;
  input.setAttribute('aria-invalid', String(isWrong));
  input.classList.toggle('Input--invalid', isWrong);
  input.classList.toggle('Input--empty', input.value === '');
  const error = input.parentElement.querySelector('.Error');
  if (error.textContent !== (message ?? '')) error.textContent = message ?? '';
  error.hidden = !isWrong;
}

function methodBody(type, texts, inputs) {
  const body = node('div', 'method');
  if (type !== 'card') {
    const note = node('p', 'note');
    note.textContent = texts.redirect.replace('{method}', texts.methods[type]);
    body.append(note);
    return body;
  }
  const pair = node('div', 'pair');
  const [number, expiry, cvc] = Object.keys(CARD_FIELDS).map((name) => field(name, texts, inputs));
  pair.append(expiry, cvc);
  body.append(number, pair);
  return body;
}

function accordionItem(type, body, radios, texts) {
  const item = node('div', 'AccordionItem');
  const choice = node('label', 'choice');
  const radio = node('input', '', { type: 'radio', name: 'method', value: type });
  radios[type] = radio;
  choice.append(radio, texts.methods[type]);
  item.append(choice, body);
  return item;
}

function field(name, texts, inputs) {
  const id = `Field-${name}Input`;
  const row = node('div', 'row');
  const label = node('label', 'Label', { for: id });
  label.textContent = texts[name];
  const input = node('input', 'Input Input--empty', {
    id,
    name,
    placeholder: texts[`${name}Hint`],
    type: 'text',
    inputmode: 'numeric',
    autocorrect: 'off',
    spellcheck: 'false',
    'aria-required': 'true',
    'aria-invalid': 'false',
    'aria-describedby': `Field-${name}Error`,
    autocomplete: CARD_FIELDS[name].autocomplete,
  });
  input.maxLength = CARD_FIELDS[name].maxLength;
  const error = node('p', 'Error', { id: `Field-${name}Error`, role: 'alert' });
  error.hidden = true;
  row.append(label, input, error);
  inputs[name] = input;
  return row;
}

function node(tag, className, attributes = {}) {
  const it = document.createElement(tag);
  if (className !== '') it.className = className;
  for (const [name, value] of Object.entries(attributes)) it.setAttribute(name, value);
  return it;
}
