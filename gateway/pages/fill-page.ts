import {
  type ColourScheme,
  formatKroner,
  type PageValues,
  sellerLine,
  themeColour,
} from '@proveklar/contract/page.ts';
import type { ConfigResponse } from '@proveklar/contract/config.ts';
import { escapeHtml } from '@proveklar/contract/escape-html.ts';
import type { AppLanguage } from '@proveklar/contract/language.ts';

/** How a page is asked for: each way is a text of its own. */
export interface PageWishes {
  language: AppLanguage;
  scheme: ColourScheme;
}

/** What is the same for all pages of a gateway. */
export interface Site {
  publicUrl: string;
  serviceWorker: boolean;
}

/** Fills in what the build left open in a page. */
export function fillPage(
  page: string,
  config: ConfigResponse,
  { language, scheme }: PageWishes,
  { publicUrl, serviceWorker }: Site,
): string {
  const values: PageValues = {
    price: escapeHtml(formatKroner(config.price, language)),
    days: String(config.service_days),
    support_email: escapeHtml(config.support_email),
    seller: escapeHtml(sellerLine(config.seller)),
    public_url: escapeHtml(publicUrl),
    // Inside a script element only this character could end it.
    config: JSON.stringify(config).replaceAll('<', String.raw`\u003c`),
    colour_scheme: scheme,
    theme_colour_light: themeColour(scheme, 'light'),
    theme_colour_dark: themeColour(scheme, 'dark'),
    service_worker: String(serviceWorker),
  };
  // In one pass, so that a value which looks like a name stays as it is.
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_open, name: string) => {
    const value = values[name as keyof PageValues];
    if (value === undefined) throw new Error(`A page wants ${name}, which nobody knows`);
    return value;
  });
}
