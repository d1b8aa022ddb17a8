export const colourSchemes = ['auto', 'light', 'dark'] as const;
/** Light or dark, or as the device has it. */
export type ColourScheme = (typeof colourSchemes)[number];

/**
 * The cookie that carries what a person chose. A cookie and not the browser's storage, so that the
 * gateway can write it into the page: nothing flashes.
 */
export const COLOUR_SCHEME_COOKIE = 'colour-scheme';

/** What is no choice of ours is left to the device. */
export function toColourScheme(text: string | undefined): ColourScheme {
  return colourSchemes.find((scheme) => scheme === text) ?? 'auto';
}

/** The site's header, which the browser's own bar goes on from (`--pk-surface` in tokens.css). */
const HEADER = { light: '#ffffff', dark: '#13242f' } as const;

/** The colour of the browser's bar on a device that is light, or dark. */
export function themeColour(scheme: ColourScheme, device: 'light' | 'dark'): string {
  return HEADER[scheme === 'auto' ? device : scheme];
}
