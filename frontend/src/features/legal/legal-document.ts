/**
 * A text that we are bound by, or that the law wants: data, because it is read as one whole and has
 * too much structure for keys. Both languages have the same sections, by `id`.
 *
 * In every text `[words](address)` is a link: to a path of ours, to `#id` in the page, or elsewhere.
 */
export interface LegalDocument {
  title: string;
  /** What search engines show of it. */
  description: string;
  /** When it was last written anew. */
  updated: string;
  /** What was changed later, and when: the newest first. */
  changes: readonly string[];
  /** What a translation says of itself. */
  note?: string;
  intro: string;
  sections: readonly LegalSection[];
}

export interface LegalSection {
  /** Its place in the address; the same in both languages, so that a link to it stays right. */
  id: string;
  title: string;
  blocks: readonly LegalBlock[];
}

export type LegalBlock =
  /** A paragraph. */
  | string
  | { list: readonly string[] }
  | { steps: readonly string[] }
  /** What is stored in a browser: its name there, what it is for, and for how long. */
  | {
      stored: readonly (readonly [name: string, purpose: string, kept: string])[];
      head: readonly [string, string];
    }
  /** The same questions answered for one thing after the other. */
  | { facts: readonly { title: string; rows: readonly (readonly [string, string])[] }[] }
  /** Who sells and how to reach them, from the settings. */
  | { seller: true };

export const LEGAL_DOCUMENTS = ['privacy', 'terms', 'cookies', 'accessibility'] as const;
export type LegalDocumentName = (typeof LEGAL_DOCUMENTS)[number];
