/** Shortens a question for the list of reports. The specification asks for 80 characters. */
const MAX_CHARACTERS = 80;

export function shorten(text: string): string {
  const characters = Array.from(text);
  return characters.length > MAX_CHARACTERS
    ? `${characters.slice(0, MAX_CHARACTERS).join('')}…`
    : text;
}
