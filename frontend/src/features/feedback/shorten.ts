/** Specification, section 9: in the list a question is cut at 80 characters. */
const LONGEST = 80;

export function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text;
}
