import escapeHtml from 'escape-html';

/** A fragment of HTML in which all text is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/** Template tag: escapes values unless they are `Html`; null, undefined and false render as nothing. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(toText)));
}

function toText(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toText).join('');
  return escapeHtml(String(value));
}
