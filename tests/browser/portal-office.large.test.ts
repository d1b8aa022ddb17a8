import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Database } from '@proveklar/services/database/pool.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { createQuestions } from '#support/factories.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { randomFor } from '#support/random.ts';
import { bySize, testSeed } from '#support/settings.ts';
import { useOwnStack } from '#support/stack.ts';

// The office of the portal with 0, 7 and many people, at 360, 768 and 1440 px, in light and dark, in both languages.

const ADMIN = 'admin@example.no';
const TEXTS = { no: adminNo, en: adminEn };
/** A folder for pictures of each screen. */
const { A11Y_SCREENS: folder, OFFICE_PEOPLE } = process.env;
/** `OFFICE_PEOPLE=100000` takes a minute to fill. */
const MANY = Number(OFFICE_PEOPLE ?? 1_000);
/** Each page is seen in all of these, in the smaller sizes in a drawn part of them. */
const LOOKS = [360, 768, 1440].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);
const PEOPLE = bySize({ quick: [0, MANY], large: [0, MANY], full: [0, 7, MANY] });
const SHARE = bySize({ quick: 1 / 6, large: 1 / 6, full: 1 });
const SEED = testSeed('these looks');

const stack = useOwnStack();
const browser = useBrowser();

/** Accounts that have paid over two years, some of whom got money back; each with two quizzes. */
async function addPeople(db: Database, count: number): Promise<void> {
  await db.query('truncate account, audit_entry, message, daily_count cascade');
  await db.query(
    `insert into account (uid, email, display_name, registered_at, service_expires_at, email_verified)
     select 'office-' || n, 'person-' || n || '@example.no', 'Person ' || n,
       now() - n * interval '10 minutes', now() + ((n % 60) - 20) * interval '1 day', true
     from generate_series(1, $1) n`,
    [count],
  );
  await db.query(
    `insert into payment (purpose, account_id, email, username, payment_intent_id, amount_ore,
       service_days, state, intent_status, created_at, settled_at, method)
     select 'registration', id, email, display_name, 'pi_' || uid, 14900, 30, 'settled', 'succeeded',
       registered_at, registered_at, (array['card', 'apple_pay', 'vipps'])[1 + random() * 2]
     from account where uid like 'office-%'`,
  );
  await db.query(
    `insert into credit (account_id, payment_id, reason, days, days_taken_back, credited_at)
     select account_id, id, 'payment', service_days, case when account_id::text ~ '[0-7]$' then 10 else 0 end, settled_at
     from payment`,
  );
  await db.query(
    `insert into receipt (number, payment_id, issued_at, amount_ore, vat_ore, vat_percent, service_days,
       period_start, period_end)
     select row_number() over (order by settled_at), id, settled_at, 14900, 2980, 25, 30, settled_at,
       settled_at + interval '30 days' from payment`,
  );
  await db.query(
    `insert into refund (payment_id, stripe_refund_id, amount_ore, reason, state, made_at)
     select id, 're_' || payment_intent_id, 4900, 'withdrawal', 'succeeded', settled_at
     from payment where (service_days + amount_ore + extract(minute from settled_at)::int) % 7 = 0`,
  );
  await db.query(
    `insert into balance_transaction (id, payment_id, source, category, amount_ore, fee_ore, created_at)
     select 'txn_' || payment_intent_id, id, 'ch_' || payment_intent_id, 'charge', 14900, 558, settled_at
     from payment
     union all
     select 'txn_' || stripe_refund_id, payment_id, stripe_refund_id, 'refund', -amount_ore, 0, made_at
     from refund`,
  );
  await db.query(
    `insert into balance_reading (read_at) values (now() + interval '1 hour')
     on conflict (only_row) do update set read_at = excluded.read_at`,
  );
  await db.query(
    `insert into quiz (account_id, kind, topic, language, instant_feedback, started_at, ended_at, state,
       score, total)
     select id, 'drill', 'Historie', 'no', true, registered_at + day * interval '1 day',
       registered_at + day * interval '1 day', 'ended', 7, 10
     from account, generate_series(0, 1) day where uid like 'office-%'`,
  );
  await db.query(
    `insert into daily_count (day, name, count)
     select (registered_at at time zone 'Europe/Oslo')::date, name, count(*)
     from account, unnest(array['sample_opened', 'registration_begun', 'first_payment', 'first_quiz', 'came_back']) name
     group by 1, 2`,
  );
  await db.query('analyze');
}

/**
 * What comes from people, as many as there are: reports of questions, messages to them, and a packet of codes, half of
 * which are redeemed. Returns the payment of the packet; null where there are no people.
 */
async function addWork(db: Database, people: number): Promise<string | null> {
  await createQuestions(db, { topic: 'Kontoret', count: 12 });
  await db.query(
    `insert into feedback (account_id, question_id, quiz_id, type, reason, comment, created_at)
     select quiz.account_id, question.id, quiz.id, 'thumbs_down',
       (array['wrong_answer', 'unclear', 'outdated', null])[1 + question.id % 4],
       case when question.id % 3 = 0 then 'Dette stemmer ikke med det jeg leste på nettsidene til kommunen.' end,
       quiz.started_at
     from (select distinct on (account_id) * from quiz order by account_id, started_at) quiz
     cross join lateral (
       select id from question where topic = 'Kontoret' order by hashtext(id::text || quiz.id) limit 2) question`,
  );
  await db.query(
    `insert into message (kind, audience, texts, created_by, state, started_at, ended_at, total)
     select case when n % 2 = 0 then 'service' else 'news' end, 'active',
       jsonb_build_object('no', jsonb_build_object('subject', 'Nytt i august ' || n, 'body', 'Hei.')), $2,
       case when n % 3 = 0 then 'draft' else 'sent' end, case when n % 3 > 0 then now() end,
       case when n % 3 > 0 then now() end, case when n % 3 > 0 then $1::integer end
     from generate_series(1, least($1::integer, 60)) n`,
    [people, ADMIN],
  );
  if (people === 0) return null;
  const { rows } = await db.query<{ id: string }>(
    `with payment as (
       insert into payment (purpose, email, username, payment_intent_id, amount_ore, service_days, state, intent_status,
         created_at, settled_at, method)
       values ('packet', 'skole@example.no', 'Voksenopplæringen', 'pi_packet', 1490000, 30, 'settled', 'succeeded',
         now(), now(), 'card') returning id),
     packet as (
       insert into code_packet (payment_id, codes, organisation, organisation_number, expires_at)
       select id, 100, 'Voksenopplæringen', '923609016', now() + interval '1 year' from payment returning payment_id),
     code as (
       insert into access_code (payment_id, hash, redeemed_at)
       select payment_id, sha256(n::text::bytea), case when n <= $1::integer and n <= 50 then now() end
       from packet, generate_series(1, 100) n)
     select id from payment`,
    [people],
  );
  return rows[0]!.id;
}

describe.each(drawLanguages())('the office ($language)', (language) => {
  const { t } = language;
  const admin = TEXTS[language.language];

  async function signIn(): Promise<Visitor> {
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await visitor.page.waitForURL('**/admin/dashboard/home');
    return visitor;
  }

  /** Opens a page in each look, and checks it by axe. */
  async function look(visitor: Visitor, path: string, name: string, title: string): Promise<void> {
    const { page } = visitor;
    for (const { width, colorScheme } of LOOKS) {
      const file = `${name}-${language.language}-${width}-${colorScheme}.png`;
      if (!folder && !randomFor(SEED, file).chance(SHARE)) continue;
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${stack.current.url}/admin/dashboard/${path}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await expect.poll(() => page.locator('.ds-skeleton').count()).toBe(0);
      if (folder) {
        await mkdir(folder, { recursive: true });
        await page.screenshot({ path: join(folder, file), fullPage: true });
      }
      expect([file, ...(await findingsOf(page))]).toEqual([file]);
      const overflow = await page.evaluate<number>(
        'document.scrollingElement.scrollWidth - innerWidth',
      );
      expect([file, overflow]).toEqual([file, 0]);
    }
  }

  test.each(PEOPLE)('shows the finances of %i people', async (people) => {
    await addPeople(stack.current.database.pool, people);
    const visitor = await signIn();
    const month = new Date().toISOString().slice(0, 7);
    await look(visitor, 'money', `money-${people}`, admin.money.title);
    await look(visitor, `money?period=${month}`, `money-month-${people}`, admin.money.title);
    const { page } = visitor;
    if (people > 0) {
      // Not every look is taken in every run.
      await page.goto(`${stack.current.url}/admin/dashboard/money?period=${month}`);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: /CSV/ }).click();
      expect((await downloading).suggestedFilename()).toBe(`proveklar-regnskap-${month}.csv`);
    }
    expect(visitor.complaints).toEqual([]);
  });

  test.each(PEOPLE)('shows people, payments and the log with %i people', async (people) => {
    const { pool } = stack.current.database;
    await addPeople(pool, people);
    await pool.query(
      `insert into audit_entry (actor, action, subject, details)
       select 'admin@example.no', 'user.disabled', email, '{"note": "Delte kontoen"}' from account`,
    );
    const visitor = await signIn();
    const { page } = visitor;
    await look(visitor, 'users?sort=registered', `users-${people}`, admin.users.title);
    await look(visitor, 'payments', `payments-${people}`, admin.payments.title);
    await look(visitor, 'audit', `audit-${people}`, admin.audit.title);
    if (people === 0) return;
    await look(visitor, 'users/office-3', `person-${people}`, 'person-3@example.no');
    await page.goto(`${stack.current.url}/admin/dashboard/users?email=person-3%40`);
    // On a narrow screen the menu is at the left.
    await page.setViewportSize({ width: 360, height: 800 });
    const row = page.getByRole('row').filter({ hasText: 'person-3@example.no' });
    await row.getByRole('button', { name: /person-3@example.no/ }).click();
    if (folder) await page.screenshot({ path: join(folder, `menu-${language.language}.png`) });
    await page.getByRole('button', { name: admin.users.grant.one }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(admin.users.grant.how_many).fill('7');
    await dialog.getByLabel(admin.users.grant.note).fill('Nede en dag');
    await dialog.getByRole('button', { name: admin.users.grant.next }).click();
    await dialog
      .getByText(/person-3@example.no/)
      .first()
      .waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await row.getByRole('link', { name: 'person-3@example.no' }).click();
    await page.getByRole('heading', { level: 1, name: 'person-3@example.no' }).waitFor();
    await page.getByText(admin.users.person.not_shared).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    await page.reload();
    const tab = page.getByRole('link', { name: admin.shell.tab.users, exact: true });
    const isInView = async () => {
      const { x, width } = (await tab.boundingBox()) ?? { x: -1, width: 0 };
      return x >= 0 && x + width <= 360;
    };
    await expect.poll(isInView).toBe(true);

    await page.goto(`${stack.current.url}/admin/dashboard/audit`);
    await page.getByLabel(admin.audit.search).fill('person-3@');
    await page.waitForURL('**/audit?search=*');
    const entries = page.getByRole('list', { name: admin.audit.list }).getByRole('listitem');
    await expect.poll(() => entries.count()).toBe(1);
    // The log has codes; the screen shows words, and finds by them.
    await page.getByLabel(admin.audit.search).fill(admin.audit.action.user.disabled.split(' ')[0]!);
    await expect.poll(() => entries.count()).toBe(Math.min(people, 50));
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: admin.audit.download }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^proveklar-logg-.*\.csv$/);
    expect(visitor.complaints).toEqual([]);
  });

  test.each(PEOPLE)('shows what waits and what is sent with %i people', async (people) => {
    const { pool } = stack.current.database;
    await addPeople(pool, people);
    const packetId = await addWork(pool, people);
    const visitor = await signIn();
    await look(visitor, 'home', `home-${people}`, admin.home.title);
    await look(visitor, 'feedback', `feedback-${people}`, admin.feedback.title);
    await look(visitor, 'messages', `messages-${people}`, admin.messages.title);
    await look(visitor, 'messages/new', `new-message-${people}`, admin.messages.write);
    await look(visitor, 'operations', `operations-${people}`, admin.operations.title);
    await look(visitor, 'settings', `settings-${people}`, admin.settings.title);
    if (packetId) {
      await look(visitor, `payments/${packetId}`, `codes-${people}`, admin.payments.title_one);
    }
    expect(visitor.complaints).toEqual([]);
  });
});
