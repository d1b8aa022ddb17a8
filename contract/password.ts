import { Type, type Static } from 'typebox';
import { Closed, Email, Language } from './common.ts';

// A mailed link to choose a password.

export const ForgotPasswordRequest = Closed({
  email: Email,
  language: Type.Optional(
    Type.Union(Language.anyOf, { description: 'The language of the mail; default no.' }),
  ),
});
export type ForgotPasswordRequest = Static<typeof ForgotPasswordRequest>;

const Token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'From the fragment of the mailed link.',
});

export const PasswordLinkRequest = Closed({ token: Token });
export type PasswordLinkRequest = Static<typeof PasswordLinkRequest>;

export const ChoosePasswordRequest = Closed({
  token: Token,
  password: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'A weak one is refused with `password_refused`.',
  }),
});
export type ChoosePasswordRequest = Static<typeof ChoosePasswordRequest>;

export const PasswordLinkResponse = Closed({
  email: Type.String({ description: 'The address that the link was mailed to.' }),
});
export type PasswordLinkResponse = Static<typeof PasswordLinkResponse>;
