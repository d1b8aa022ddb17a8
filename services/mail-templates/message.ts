import type { AppLanguage } from '@proveklar/contract/language.ts';
import type { MessageKind, MessageText, MessageTexts } from '@proveklar/contract/messages.ts';
import { readAccount } from '#accounts/account.ts';
import { readActor } from '#audit/record-action.ts';
import type { Database } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatDate, oneLine } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailByAddress,
  type MailDeps,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { languagesOf, recordTested } from '#messages/messages.ts';
import { readNewsConsent, stopNewsToken } from '#messages/news-consent.ts';
import {
  MESSAGE_MAIL,
  readDueMessage,
  recordDelivery,
  skipRecipient,
  unqueueRecipient,
} from '#messages/send-message.ts';
import { readSettings, type Seller } from '#settings/settings.ts';
import { provenAddress } from './proven-address.ts';
import { greeting, questions, sellerFacts } from './wording.ts';

/**
 * Mails a message of an administrator to a learner. The mail is stored under the message, so a learner gets it
 * once, whatever becomes of the worker: a service message whose worker dies while it sends it is sent again with
 * the same Message-ID, and news are not sent again.
 *
 * @returns `not_needed` when the message was stopped or the consent withdrawn; `no_recipient` when the account was
 *   closed, or its address is neither verified nor that of a payment
 * @throws AppError `identity_provider_failed`
 */
export async function mailMessage(
  deps: SignInMailDeps,
  event: DeliveredEvent<'message.due'>,
): Promise<MailOutcome> {
  const { db } = deps;
  const { message_id: messageId, account_id: accountId } = event.payload;
  const recipient = { messageId, accountId };
  const message = await readDueMessage(db, messageId);
  if (!message?.isSending) {
    if (await unqueueRecipient(db, recipient)) return 'not_needed';
    // It goes on since it was read.
    return mailMessage(deps, event);
  }
  const account = await readAccount(db, accountId);
  if (account.state !== 'active') {
    await skipRecipient(db, recipient, 'closed');
    return 'no_recipient';
  }
  const consent = message.kind === 'news' ? await readNewsConsent(db, accountId) : null;
  if (message.kind === 'news' && !consent) {
    await skipRecipient(db, recipient, 'withdrawn');
    return 'not_needed';
  }
  const to = await provenAddress(deps, account);
  if (to === null) {
    await skipRecipient(db, recipient, 'no_address');
    return 'no_recipient';
  }
  const language = message.texts[account.language]
    ? account.language
    : languagesOf(message.texts)[0]!;
  const facts: MessageFacts = {
    name: account.display_name,
    stop: consent && {
      agreedAt: consent.agreedAt,
      token: stopNewsToken(accountId, consent.key),
    },
  };
  const content = await composeMessage(deps, message.texts, language, facts);
  const atMostOnce = message.kind === 'news';
  const outcome = await sendOnce(
    deps,
    { eventId: messageId, kind: MESSAGE_MAIL, recipient: { accountId }, language, atMostOnce },
    to,
    content,
  );
  if (typeof outcome !== 'object') await recordDelivery(db, recipient);
  return outcome;
}

/**
 * Mails a message to the administrator who tests it, in each of its languages.
 *
 * @returns `not_needed` when the message was changed or deleted since; `no_recipient` when the administrator is
 *   not known any more
 */
export async function mailTestMessage(
  deps: MailDeps,
  { id: eventId, payload }: DeliveredEvent<'message.test_requested'>,
): Promise<MailOutcome> {
  const message = await readDueMessage(deps.db, payload.message_id);
  if (message?.revision !== payload.revision) return 'not_needed';
  const to = await readActor(deps.db, payload.entry_id);
  if (to === null) return 'no_recipient';
  let last: MailOutcome = 'not_needed';
  for (const language of languagesOf(message.texts)) {
    const content = await previewMessage(deps, message, language);
    const key: MailByAddress = {
      eventId,
      kind: `message_test_${language}`,
      recipient: { email: to },
      language,
    };
    last = await sendOnce(deps, key, to, { ...content, subject: `TEST: ${content.subject}` });
    if (typeof last === 'object' || last === 'refused') return last;
  }
  await recordTested(deps.db, message.id, message.revision);
  return last;
}

/**
 * The mail of a message as an administrator sees it: without a name, and its link stops nothing.
 *
 * @param language one that the message has a text for
 */
export async function previewMessage(
  deps: { db: Database; addresses: MailAddresses },
  { kind, texts }: { kind: MessageKind; texts: MessageTexts },
  language: AppLanguage,
): Promise<MailContent> {
  const stop = kind === 'news' ? { agreedAt: new Date(), token: null } : null;
  return composeMessage(deps, texts, language, { name: null, stop });
}

interface MessageFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** The consent to news, and the token that withdraws it; null for a service message. */
  stop: { agreedAt: Date; token: string | null } | null;
}

async function composeMessage(
  { db, addresses: installed }: { db: Database; addresses: MailAddresses },
  texts: MessageTexts,
  language: AppLanguage,
  { name, stop }: MessageFacts,
): Promise<MailContent> {
  const addresses = await currentAddresses(db, installed);
  const { publicUrl, supportEmail } = addresses;
  const { subject, body } = texts[language]!;
  const blocks = [
    greeting(language, name),
    ...toBlocks(body),
    questions(language, supportEmail),
    ...endOf(language, stop, publicUrl),
    ...senderOf(language, await readSettings(db)),
  ];
  const content = composeMail({ language, subject: oneLine(subject), blocks });
  if (!stop?.token) return content;
  return {
    ...content,
    unsubscribeUrl: `${publicUrl}/api/v1/news/stop?token=${stop.token}`,
  };
}

/** A paragraph that is only a link. */
const LINK = /^\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)$/;

/** Paragraphs are separated by empty lines. */
function toBlocks(body: MessageText['body']): Block[] {
  return body
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean)
    .map((paragraph) => {
      const [, link, url] = LINK.exec(paragraph) ?? [];
      return link && url ? { link, url } : { paragraph };
    });
}

/** Why the learner gets the mail, and how to stop it. */
function endOf(language: AppLanguage, stop: MessageFacts['stop'], publicUrl: string): Block[] {
  if (!stop) {
    const text =
      language === 'no'
        ? 'Dette er en melding om tjenesten. Du får den fordi du har konto hos Prøveklar.'
        : 'This is a message about the service. You get it because you have an account with Prøveklar.';
    return [{ paragraph: text }];
  }
  const date = formatDate(stop.agreedAt, language);
  const url = stop.token ? `${publicUrl}/nyheter?token=${stop.token}` : `${publicUrl}/nyheter`;
  return language === 'no'
    ? [
        { paragraph: `Du får denne e-posten fordi du sa ja til nyheter ${date}.` },
        {
          link: 'Hvis du ikke vil ha nyheter, kan du stoppe dem her. Du trenger ikke å logge inn',
          url,
        },
      ]
    : [
        { paragraph: `You get this email because you agreed to news on ${date}.` },
        {
          link: 'If you do not want news, you can stop them here. You do not need to sign in',
          url,
        },
      ];
}

/** Who sends the mail (ehandelsloven § 8), as far as an owner has entered it. */
function senderOf(language: AppLanguage, seller: Seller): Block[] {
  const { seller_name, seller_organisation_number, seller_address } = seller;
  const vat_percent = seller.seller_vat_registered ? 1 : 0;
  const facts = sellerFacts(language, {
    seller_name,
    seller_organisation_number,
    seller_address,
    vat_percent,
  });
  return facts.length > 0 ? [{ facts }] : [];
}
