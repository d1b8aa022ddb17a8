import {
  COLOUR_SCHEME_COOKIE,
  type ColourScheme,
  themeColour,
  toColourScheme,
} from '@proveklar/contract/page.ts';
import { keepCookie } from './cookie.ts';

const ONE_YEAR_S = 365 * 24 * 3600;

/** The colours that the page is shown in: the gateway wrote into it what was chosen before. */
export function shownColourScheme(): ColourScheme {
  return toColourScheme(document.documentElement.dataset.colorScheme);
}

/** Shows the page in these colours, and every page from now on. */
export function chooseColourScheme(scheme: ColourScheme): void {
  keepCookie(COLOUR_SCHEME_COOKIE, scheme, scheme === 'auto' ? 0 : ONE_YEAR_S);
  showColourScheme(scheme);
}

function showColourScheme(scheme: ColourScheme): void {
  document.documentElement.dataset.colorScheme = scheme;
  for (const device of ['light', 'dark'] as const) {
    document
      .querySelector(`meta[name="theme-color"][media*="${device}"]`)
      ?.setAttribute('content', themeColour(scheme, device));
  }
}
