import type { AppLanguage } from '@proveklar/contract/language.ts';
import {
  createPasswordToken,
  findPasswordRequest,
  type PasswordLinkReason,
  type PasswordRequest,
} from '#accounts/password-links.ts';
import type { Queryable } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import type { IdentityUser } from '#identity/identity-provider.ts';
import { composeMail, type MailContent } from '#mail/compose-mail.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailByAddress,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { type MailText, questions } from './wording.ts';

/**
 * Mails the link to choose a password. A person who has forgotten a password that never existed, because they
 * sign in with Google, is told so and gets no link.
 *
 * @returns `no_recipient` when the address has no identity, or one that may not sign in; `not_needed` when the
 *   request was deleted meanwhile
 * @throws AppError `identity_provider_failed`
 */
export async function mailPasswordLink(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'password.link_requested'>,
): Promise<MailOutcome> {
  const request = await findPasswordRequest(deps.db, payload.request_id);
  if (!request) return 'not_needed';
  const user = await deps.identity.findByEmail(request.email);
  if (!user || user.disabled) return 'no_recipient';
  const account = await findAccount(deps.db, user.uid);
  if (account && account.state !== 'active') return 'no_recipient';
  const { language } = request;
  const addresses = await currentAddresses(deps.db, deps.addresses);
  const recipient = account ? { accountId: account.id } : { email: user.email };
  const key: MailByAddress = { eventId, kind: 'password_link', recipient, language };
  return sendOnce(deps, key, user.email, () => contentOf(deps, { request, user }, addresses));
}

async function findAccount(db: Queryable, uid: string) {
  const { rows } = await db.query<{ id: string; state: string }>(
    'select id, state from account where uid = $1',
    [uid],
  );
  return rows[0];
}

async function contentOf(
  { db }: SignInMailDeps,
  { request, user }: { request: PasswordRequest; user: IdentityUser },
  addresses: MailAddresses,
): Promise<MailContent> {
  const { reason, language } = request;
  if (isByGoogleOnly(user) && reason !== 'administrator')
    return signInWithGoogle(language, addresses);
  const token = await createPasswordToken(db, user);
  return passwordLink(language, { reason, token, hasPassword: user.hasPassword }, addresses);
}

/** Such a person does not need a password. An administrator may offer one all the same. */
const isByGoogleOnly = ({ hasPassword, hasGoogle }: IdentityUser) => hasGoogle && !hasPassword;

interface LinkFacts {
  reason: PasswordLinkReason;
  token: string;
  hasPassword: boolean;
}

/** In the fragment, which browsers send to no server: neither logs nor referrers have it. */
const pageOf = ({ publicUrl }: MailAddresses, token: string) =>
  `${publicUrl}/nytt-passord#token=${token}`;

const OPENING: Record<AppLanguage, Record<PasswordLinkReason, string>> = {
  no: {
    forgotten: 'Vi fikk beskjed om at du har glemt passordet ditt til Prøveklar.',
    registration: 'Kontoen din hos Prøveklar er klar. Nå må du velge et passord.',
    registered_again:
      'Noen prøvde å lage en konto hos Prøveklar med denne e-postadressen. Du har en konto fra før, ' +
      'og den er ikke endret. Hvis du husker passordet, kan du bare logge inn.',
    administrator: 'Vi i Prøveklar sender deg en lenke, så du kan velge passord.',
  },
  en: {
    forgotten: 'We were told that you have forgotten your password for Prøveklar.',
    registration: 'Your account with Prøveklar is ready. Now you need to choose a password.',
    registered_again:
      'Someone tried to create an account with Prøveklar under this email address. You already have ' +
      'an account, and it has not changed. If you know your password, just sign in.',
    administrator: 'We at Prøveklar are sending you a link, so that you can choose a password.',
  },
};

type Wording = (facts: LinkFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ reason, token, hasPassword }, addresses) => ({
    subject: hasPassword ? 'Velg nytt passord' : 'Velg passord',
    blocks: [
      { paragraph: 'Hei!' },
      { paragraph: OPENING.no[reason] },
      { link: 'Velg passord her', url: pageOf(addresses, token) },
      {
        paragraph:
          'Lenken virker én gang, i én time. Hvis du trenger en ny, kan du be om den på siden der du logger inn.',
      },
      ...(reason === 'registration'
        ? []
        : [
            {
              paragraph:
                'Ba du ikke om dette? Da trenger du ikke å gjøre noe. Passordet ditt er det samme som før. ' +
                'Ikke gi lenken til andre.',
            },
          ]),
      questions('no', addresses.supportEmail),
    ],
  }),
  en: ({ reason, token, hasPassword }, addresses) => ({
    subject: hasPassword ? 'Choose a new password' : 'Choose a password',
    blocks: [
      { paragraph: 'Hello,' },
      { paragraph: OPENING.en[reason] },
      { link: 'Choose a password here', url: pageOf(addresses, token) },
      {
        paragraph:
          'The link works once, for one hour. If you need a new one, you can ask for it where you sign in.',
      },
      ...(reason === 'registration'
        ? []
        : [
            {
              paragraph:
                'Did you not ask for this? Then you do not need to do anything. Your password is the same ' +
                'as before. Do not give the link to anyone.',
            },
          ]),
      questions('en', addresses.supportEmail),
    ],
  }),
};

/** The mail with a link to choose a password. */
function passwordLink(
  language: AppLanguage,
  facts: LinkFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}

const GOOGLE: Record<AppLanguage, (addresses: MailAddresses) => MailText> = {
  no: ({ publicUrl, supportEmail }) => ({
    subject: 'Du logger inn med Google',
    blocks: [
      { paragraph: 'Hei!' },
      {
        paragraph:
          'Vi fikk spørsmål om et passord til Prøveklar med denne e-postadressen. Du har ikke noe passord ' +
          'hos oss. Velg «Logg inn med Google», og bruk Google-kontoen med denne adressen.',
      },
      { link: 'Logg inn', url: `${publicUrl}/login` },
      { paragraph: 'Spurte du ikke om dette? Da trenger du ikke å gjøre noe.' },
      questions('no', supportEmail),
    ],
  }),
  en: ({ publicUrl, supportEmail }) => ({
    subject: 'You sign in with Google',
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph:
          'We were asked for a password for Prøveklar under this email address. You have no password with ' +
          'us. Choose “Sign in with Google”, and use the Google account with this address.',
      },
      { link: 'Sign in', url: `${publicUrl}/login` },
      { paragraph: 'Did you not ask for this? Then you do not need to do anything.' },
      questions('en', supportEmail),
    ],
  }),
};

/** The mail to a person who asked for a password and signs in with Google. */
function signInWithGoogle(language: AppLanguage, addresses: MailAddresses): MailContent {
  return composeMail({ language, ...GOOGLE[language](addresses) });
}
