/** The letter of an option: A for the first. */
export const optionLetter = (number: number): string => String.fromCodePoint(65 + number);
