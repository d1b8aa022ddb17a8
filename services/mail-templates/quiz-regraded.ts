import type { AppLanguage } from '@proveklar/contract/language.ts';
import { ALL_TOPICS, MISTAKES, PRACTICE_TEST, TODAY } from '@proveklar/contract/quiz-topics.ts';
import { readAccount } from '#accounts/account.ts';
import type { EventPayload } from '#events/catalogue.ts';
import { type Block, composeMail, type MailContent } from '#mail/compose-mail.ts';
import { formatDate, oneLine } from '#mail/format.ts';
import {
  currentAddresses,
  type MailAddresses,
  type MailDeps,
  type MailOutcome,
  sendOnce,
} from '#mail/send-once.ts';
import { listRegradedResults, type RegradedResult } from '#quiz/regrade.ts';

/**
 * Mails a learner the results that a corrected answer key has changed: one mail for each correction.
 *
 * @returns `no_recipient` when the account, or the quizzes, were deleted meanwhile
 */
export async function mailRegrade(
  deps: MailDeps,
  payload: EventPayload<'result.regraded'>,
): Promise<MailOutcome> {
  const { regrade_id: regradeId, account_id: accountId } = payload;
  const account = await readAccount(deps.db, accountId);
  const results = await listRegradedResults(deps.db, regradeId, accountId);
  if (account.state === 'deleted' || results.length === 0) return 'no_recipient';
  const { language } = account;
  const facts = { name: account.display_name, results };
  const content = quizRegraded(language, facts, await currentAddresses(deps.db, deps.addresses));
  // The key is the correction's id, so a repeated event sends no second mail.
  const key = { eventId: regradeId, kind: 'quiz_regraded', recipient: { accountId }, language };
  return sendOnce(deps, key, account.email, content);
}

interface RegradedFacts {
  /** As the learner typed it; null for none. */
  name: string | null;
  /** At least one. */
  results: RegradedResult[];
}

/** More would be too long for a mail; the history has them all. */
const MAX_RESULTS = 10;

type Wording = (
  facts: RegradedFacts,
  addresses: MailAddresses,
) => { subject: string; blocks: Block[] };

const WORDING: Record<AppLanguage, Wording> = {
  no: ({ name, results }, { publicUrl, supportEmail }) => ({
    subject: 'Resultatet ditt er rettet',
    blocks: [
      { paragraph: name ? `Hei, ${oneLine(name)}!` : 'Hei!' },
      {
        paragraph:
          'Et spørsmål du har fått hos oss, hadde feil fasit. Nå er fasiten rettet, og vi har regnet ' +
          'ut resultatet ditt på nytt.',
      },
      { facts: results.slice(0, MAX_RESULTS).map((result) => describe(result, 'no')) },
      ...moreResults(results, (count) =>
        count === 1
          ? 'I tillegg er 1 annet resultat rettet.'
          : `I tillegg er ${count} andre resultater rettet.`,
      ),
      { link: 'Se resultatene dine under «Testhistorikk»', url: `${publicUrl}/quiz` },
      { paragraph: `Vi beklager feilen. Har du spørsmål? Skriv til ${supportEmail}.` },
    ],
  }),
  en: ({ name, results }, { publicUrl, supportEmail }) => ({
    subject: 'Your result has been corrected',
    blocks: [
      { paragraph: name ? `Hello ${oneLine(name)},` : 'Hello,' },
      {
        paragraph:
          'A question that you were given had the wrong answer marked as correct. We have corrected ' +
          'it and worked out your result again.',
      },
      { facts: results.slice(0, MAX_RESULTS).map((result) => describe(result, 'en')) },
      ...moreResults(results, (count) =>
        count === 1
          ? '1 other result has been corrected as well.'
          : `${count} other results have been corrected as well.`,
      ),
      { link: 'See your results under “Test history”', url: `${publicUrl}/quiz` },
      {
        paragraph: `We are sorry for the mistake. Do you have questions? Write to ${supportEmail}.`,
      },
    ],
  }),
};

const WORDS = {
  no: {
    all: 'Generell quiz',
    mistakes: 'Øving på feilene dine',
    today: 'Daglig øving',
    test: 'Praktisk prøve',
    passed: 'Bestått',
    failed: 'Ikke bestått',
  },
  en: {
    all: 'General quiz',
    mistakes: 'Practice on your mistakes',
    today: 'Daily practice',
    test: 'Practice test',
    passed: 'Passed',
    failed: 'Not passed',
  },
};

/** "Historie, 20. november 2026" and "8 av 10 riktige (før 7)." */
function describe(result: RegradedResult, language: AppLanguage): [string, string] {
  const { topic, ended_at, score_before, score_after, total, pass_mark } = result;
  const words = WORDS[language];
  const topics: Record<string, string> = {
    [ALL_TOPICS]: words.all,
    [MISTAKES]: words.mistakes,
    [TODAY]: words.today,
    [PRACTICE_TEST]: words.test,
  };
  const score =
    language === 'no'
      ? `${score_after} av ${total} riktige (før ${score_before}).`
      : `${score_after} of ${total} right (${score_before} before).`;
  const passed = pass_mark !== null && score_after >= pass_mark ? words.passed : words.failed;
  return [
    `${topics[topic] ?? oneLine(topic)}, ${formatDate(ended_at, language)}`,
    pass_mark === null ? score : `${score} ${passed}.`,
  ];
}

function moreResults(results: RegradedResult[], say: (count: number) => string): Block[] {
  const count = results.length - MAX_RESULTS;
  return count > 0 ? [{ paragraph: say(count) }] : [];
}

/** The mail to a learner about a wrong answer key and their corrected results. */
export function quizRegraded(
  language: AppLanguage,
  facts: RegradedFacts,
  addresses: MailAddresses,
): MailContent {
  return composeMail({ language, ...WORDING[language](facts, addresses) });
}
