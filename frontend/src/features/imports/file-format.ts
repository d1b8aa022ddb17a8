/** By its name, as the browser's idea of a CSV file's type depends on what is installed. */
export function fileFormat(name: string): 'json' | 'csv' | undefined {
  return (['json', 'csv'] as const).find((format) => name.toLowerCase().endsWith(`.${format}`));
}
