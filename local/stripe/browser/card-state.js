import { brandOf, cvcProblem, digitsOf, expiryProblem, numberProblem } from './card-fields.js';

/** Why a field cannot be used yet, or null. */
export function problemOf({ number, expiry, cvc, postal }, name) {
  if (name === 'number') return numberProblem(number.value);
  if (name === 'expiry') return expiryProblem(expiry.value);
  if (name === 'cvc') return cvcProblem(cvc.value, number.value);
  return postal.value.trim() === '' ? 'incomplete_zip' : null;
}

/**
 * What the form tells its page (`state`, as in a change event), and which of the fields `names` are
 * shown as wrong. An unfinished field is not wrong before it was `left`.
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
