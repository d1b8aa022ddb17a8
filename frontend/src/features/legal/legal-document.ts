/**
 * A legal text. It is data, not translation keys, because it is written as a whole and has too much
 * structure for keys. Both languages have the same sections, by `id`.
 *
 * In every text `[words](address)` is a link: to one of our paths, to `#id` in the page, or elsewhere.
 */
export interface LegalDocument {
  title: string;
  /** The description for search engines. */
  description: string;
  /** When it was last rewritten. */
  updated: string;
  /** Later changes with their dates, the newest first. */
  changes: readonly string[];
  /** A note about the translation. */
  note?: string;
  intro: string;
  sections: readonly LegalSection[];
}

export interface LegalSection {
  /** The fragment of its address; the same in both languages, so that links to it stay valid. */
  id: string;
  title: string;
  blocks: readonly LegalBlock[];
}

export type LegalBlock =
  /** A paragraph. */
  | string
  | { list: readonly string[] }
  | { steps: readonly string[] }
  /** Rows of what is stored in a browser: name, purpose, duration. */
  | {
      stored: readonly (readonly [name: string, purpose: string, kept: string])[];
      head: readonly [string, string];
    }
  /** Several tables with the same rows. */
  | { facts: readonly { title: string; rows: readonly (readonly [string, string])[] }[] }
  /** The seller and their contact, from the settings. */
  | { seller: true };

export const LEGAL_DOCUMENTS = ['privacy', 'terms', 'cookies', 'accessibility'] as const;
export type LegalDocumentName = (typeof LEGAL_DOCUMENTS)[number];
