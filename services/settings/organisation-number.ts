const WEIGHTS = [3, 2, 7, 6, 5, 4, 3, 2];

/** Whether nine digits are a number of Enhetsregisteret: the last one is a check digit (modulus 11). */
export function isOrganisationNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  // A remainder of 1 would need the digit 10: such numbers are not given out.
  return (11 - (sum % 11)) % 11 === Number(text[8]);
}
