const REVOKE_DELAY_MS = 60_000;

/** Saves fetched content as a download of the browser. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Some browsers start reading only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_DELAY_MS);
}
