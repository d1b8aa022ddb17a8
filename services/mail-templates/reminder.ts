import { type AppLanguage, DEFAULT_LANGUAGE } from '@proveklar/contract/language.ts';
import { readAccount } from '#accounts/account.ts';
import type { Database } from '#database/pool.ts';
import type { DeliveredEvent } from '#events/catalogue.ts';
import { readLearning } from '#learning/read-learning.ts';
import {
  MAX_UNANSWERED,
  readReminderState,
  recordReminder,
  stopRefusedReminders,
  stopToken,
} from '#learning/reminders.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatDate } from '#mail/format.ts';
import {
  currentAddresses,
  isAddressRefused,
  type MailAddresses,
  type MailOutcome,
  sendOnce,
  type SignInMailDeps,
} from '#mail/send-once.ts';
import { provenAddress } from './proven-address.ts';
import { greeting, type MailText, questions } from './wording.ts';

/**
 * Reminds a learner of today's practice. Checks the conditions of the event again, because the mail may have
 * waited in the queue. A reminder whose worker dies while it sends it is not sent again: a learner must not
 * get two a day.
 *
 * @returns `not_needed` when the learner has stopped reminders, reached the goal or lost access meanwhile,
 *   when nothing is left to practise, or when it is too late in the evening; `no_recipient` when the account
 *   was closed, or its address is neither verified nor that of a payment
 * @throws AppError `identity_provider_failed`
 */
export async function mailReminder(
  deps: SignInMailDeps,
  { id: eventId, payload }: DeliveredEvent<'reminder.due'>,
): Promise<MailOutcome> {
  const { db } = deps;
  const account = await readAccount(db, payload.account_id);
  const { id: accountId, language, display_name: name } = account;
  if (account.state !== 'active') return 'no_recipient';
  const { isOn, unanswered, key } = await readReminderState(db, accountId);
  const isLate = new Date(payload.send_before) <= new Date();
  if (!isOn || !key || isLate || !account.is_active) return 'not_needed';
  const { today, exam_date, hasMore } = await readToday(db, accountId, language);
  if (today.done >= today.goal || !hasMore) return 'not_needed';
  const to = await provenAddress(deps, account);
  if (to === null) {
    await stopRefusedReminders(db, accountId);
    return 'no_recipient';
  }
  const facts = {
    name,
    goal: today.goal,
    done: today.done,
    examDate: exam_date === null ? null : new Date(exam_date),
    token: stopToken(accountId, key),
    isLast: unanswered + 1 >= MAX_UNANSWERED,
  };
  const content = reminder(language, facts, await currentAddresses(db, deps.addresses));
  const recipient = { accountId };
  const outcome = await sendOnce(
    deps,
    { eventId, kind: 'reminder', recipient, language, atMostOnce: true },
    to,
    content,
  );
  if (outcome === 'refused' && (await isAddressRefused(db, accountId))) {
    await stopRefusedReminders(db, accountId);
  }
  if (outcome === 'sent' || outcome === 'sent_before') {
    await recordReminder(db, accountId, payload.day);
  }
  return outcome;
}

/** Today, and whether there is more to practise in the account's language or in Norwegian. */
async function readToday(db: Database, accountId: string, language: AppLanguage) {
  const own = await readLearning(db, accountId, language);
  const hasOwn = own.today.due + own.today.new > 0;
  if (hasOwn || language === DEFAULT_LANGUAGE) return { ...own, hasMore: hasOwn };
  const { today } = await readLearning(db, accountId, DEFAULT_LANGUAGE);
  return { ...own, hasMore: today.due + today.new > 0 };
}

interface ReminderFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** Questions a day. */
  goal: number;
  /** Answers given today. */
  done: number;
  examDate: Date | null;
  /** Stops the reminders without signing in. */
  token: string;
  isLast: boolean;
}

type Wording = (facts: ReminderFacts, addresses: MailAddresses) => MailText;

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, isLast, token, ...facts }, { publicUrl, supportEmail }) => ({
    subject: 'Påminnelse: dagens øving',
    blocks: [
      greeting('no', name),
      { paragraph: 'Her er påminnelsen du ba om. Ti spørsmål tar omtrent fem minutter.' },
      { facts: planFacts('no', facts) },
      { link: 'Øv her', url: `${publicUrl}/quiz` },
      ...lastOne(
        isLast,
        'Dette er den siste påminnelsen for denne gang. Vi sender høyst sju på rad. Hvis du vil ha ' +
          'flere, kan du slå dem på igjen i planen din.',
      ),
      {
        link: 'Hvis du ikke vil ha påminnelser, kan du stoppe dem her. Du trenger ikke å logge inn',
        url: stopPage(publicUrl, token),
      },
      questions('no', supportEmail),
    ],
  }),
  en: ({ name, isLast, token, ...facts }, { publicUrl, supportEmail }) => ({
    subject: 'Reminder: today’s practice',
    blocks: [
      greeting('en', name),
      { paragraph: 'Here is the reminder you asked for. Ten questions take about five minutes.' },
      { facts: planFacts('en', facts) },
      { link: 'Practise here', url: `${publicUrl}/quiz` },
      ...lastOne(
        isLast,
        'This is the last reminder for now. We send seven in a row at most. If you want more, you ' +
          'can turn them on again in your plan.',
      ),
      {
        link: 'If you do not want reminders, you can stop them here. You do not need to sign in',
        url: stopPage(publicUrl, token),
      },
      questions('en', supportEmail),
    ],
  }),
};

const FACTS = {
  no: { goal: 'Målet ditt for i dag', done: 'Svart på i dag', exam: 'Prøven din' },
  en: { goal: 'Your goal for today', done: 'Answered today', exam: 'Your test' },
};

function planFacts(
  language: AppLanguage,
  { goal, done, examDate }: Pick<ReminderFacts, 'goal' | 'done' | 'examDate'>,
): [string, string][] {
  const names = FACTS[language];
  const count = (questionCount: number) =>
    language === 'no'
      ? `${questionCount} spørsmål`
      : `${questionCount} question${questionCount === 1 ? '' : 's'}`;
  const facts: [string, string][] = [[names.goal, count(goal)]];
  if (done > 0) facts.push([names.done, count(done)]);
  if (examDate) facts.push([names.exam, formatDate(examDate, language)]);
  return facts;
}

const lastOne = (isLast: boolean, paragraph: string): Block[] => (isLast ? [{ paragraph }] : []);

const stopPage = (publicUrl: string, token: string) => `${publicUrl}/paminnelser?token=${token}`;

/** The reminder of today's practice. It says nothing about days that were missed. */
function reminder(
  language: AppLanguage,
  facts: ReminderFacts,
  addresses: MailAddresses,
): MailContent {
  const unsubscribeUrl = `${addresses.publicUrl}/api/v1/learning/reminders/stop?token=${facts.token}`;
  return { ...composeMail({ language, ...WORDING[language](facts, addresses) }), unsubscribeUrl };
}
