const LONG_ENOUGH_MS = 60_000;

/** Lets the browser save what was fetched, as it saves any download. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Some browsers begin to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), LONG_ENOUGH_MS);
}
