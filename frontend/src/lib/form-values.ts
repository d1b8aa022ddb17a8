import { EMAIL_SHAPE } from '@proveklar/contract/limits.ts';

type Fields<Name extends string> = { values: Record<Name, string>; missing: Name[] };

/** Reads named text fields of a form; `missing` lists the blank ones. Passwords are not trimmed. */
export function readFields<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
): Fields<Name> {
  const data = new FormData(form);
  const values = {} as Record<Name, string>;
  for (const name of names) {
    const value = data.get(name);
    const text = typeof value === 'string' ? value : '';
    values[name] = name.startsWith('password') ? text : text.trim();
  }
  return { values, missing: names.filter((name) => values[name] === '') };
}

const EMAIL = new RegExp(EMAIL_SHAPE);

/** Whether the API takes it for an email address; browsers are less strict. */
export const isEmail = (text: string): boolean => EMAIL.test(text);

/** In characters. The server also refuses common and very long passwords. */
const MIN_PASSWORD_LENGTH = 8;

export const isTooShort = (password: string) => Array.from(password).length < MIN_PASSWORD_LENGTH;
