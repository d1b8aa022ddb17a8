import type { Manifest } from 'vite';

const FONT = /\/inter-latin-wght-normal-[^/]+\.woff2$/;

export interface PageLinks {
  early: string[];
  late: string[];
}

/**
 * Links for all that a page needs from the start: its style sheets, the modules that the entry would
 * only ask for once it runs, and the font that our texts are written in.
 */
export function linksOf(manifest: Manifest, modules: readonly string[]): PageLinks {
  const entry = closure(manifest, ['index.html']);
  const page = [...closure(manifest, modules)].filter((key) => !entry.has(key));
  const files = (keys: Iterable<string>, kind: 'css' | 'assets') => [
    ...new Set(Array.from(keys).flatMap((key) => manifest[key]?.[kind] ?? [])),
  ];
  const known = new Set(files(entry, 'css'));
  const styles = files(page, 'css').filter((file) => !known.has(file));
  const fonts = files(entry, 'assets').filter((file) => FONT.test(file));
  if (fonts.length !== 1) throw new Error(`One font to preload, but there is: ${fonts.join()}`);
  return {
    early: fonts.map(
      (file) => `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin>`,
    ),
    late: [
      ...styles.map((file) => `<link rel="stylesheet" href="/${file}" crossorigin>`),
      ...page.map((key) => `<link rel="modulepreload" href="/${manifest[key]?.file}" crossorigin>`),
    ],
  };
}

/** The modules and all that they import at once. */
function closure(manifest: Manifest, keys: readonly string[], seen = new Set<string>()) {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`The build has no ${key}`);
    if (seen.has(key)) continue;
    seen.add(key);
    closure(manifest, chunk.imports ?? [], seen);
  }
  return seen;
}
