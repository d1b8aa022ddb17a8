import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { paymentConfirmation } from '@proveklar/services/mail-templates/payment-confirmation.ts';
import { createMailer } from '@proveklar/services/mail/send-mail.ts';
import { openContext, useBrowser } from '#support/browser.ts';
import { TestIdentity, uniqueEmail } from '#support/identity.ts';
import { useTestMailbox } from '#support/mailbox.ts';
import { TEST_PROJECT } from '#support/shared-services.ts';
import { shared } from '#support/shared.ts';

let identity: TestIdentity;
let page: Page;
const mailbox = useTestMailbox(async () => {
  const { url } = await shared<{ url: string }>('identity');
  identity = new TestIdentity(url, TEST_PROJECT);
  return { url, projectId: TEST_PROJECT };
});
const browser = useBrowser();
beforeEach(async () => {
  const context = await openContext(browser.current);
  page = await context.newPage();
  return () => context.close();
});

const facts = {
  paymentId: '01930000-0000-7000-8000-000000000001',
  name: '<b>Demo</b>',
  amountOre: 14_900,
  paidAt: new Date('2026-11-20T12:00:00Z'),
  serviceDays: 30,
  expiresAt: new Date('2026-12-20T12:05:00Z'),
  receipt: null,
  consentedAt: null,
  withdrawUntil: new Date('2026-12-04T22:59:59.999Z'),
  beginsAt: null,
  accountExisted: false,
  needsPassword: false,
};

async function send(to: string): Promise<void> {
  const { smtpUrl } = mailbox;
  const from = 'Prøveklar <kontakt@example.no>';
  const mailer = createMailer({ smtpUrl, from, replyTo: from, requireTls: false });
  const addresses = { publicUrl: 'http://127.0.0.1:3000', supportEmail: 'kontakt@example.no' };
  const content = paymentConfirmation('no', facts, addresses);
  await mailer.send({ ...content, to, id: crypto.randomUUID() });
}

test('a new mail appears without a reload and can be read', async () => {
  const to = uniqueEmail();
  await page.goto(mailbox.url);
  await send(to);
  await page
    .getByRole('listitem')
    .filter({ hasText: to })
    .getByRole('link', { name: 'Bekreftelse på betaling' })
    .click();
  await page.getByRole('heading', { name: 'Bekreftelse på betaling', level: 1 }).waitFor();
  const frame = page.frameLocator('iframe');
  await frame.getByText('Hei, <b>Demo</b>!').waitFor();
  await frame.getByRole('rowheader', { name: 'Tilgangen varer til' }).waitFor();
  await page.getByText('Tilgangen varer til: 20. desember 2026 kl. 13.05').waitFor();
  await page.getByText('Headers').click();
  await page.getByRole('rowheader', { name: 'Message-ID' }).waitFor();
});

test.each([360, 1440])('a mail is not cut off at %i px', async (width) => {
  await page.setViewportSize({ width, height: 900 });
  const to = uniqueEmail();
  await send(to);
  await page.goto(mailbox.url);
  const fits = () => page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
  expect(await fits()).toBe(true);
  await page.getByRole('listitem').filter({ hasText: to }).getByRole('link').click();
  await page.frameLocator('iframe').getByRole('heading').waitFor();
  expect(await fits()).toBe(true);
});

test('a forgotten password is replaced by the link in the mailbox', async () => {
  const { email } = await identity.createPasswordUser();
  await identity.requestPasswordReset(email);
  await page.goto(mailbox.url);
  const entry = page.getByRole('listitem').filter({ hasText: email });
  await entry.getByRole('link', { name: 'Choose a new password' }).click();
  await page.getByLabel('New password').fill('et nytt passord');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText(`The new password of ${email} is set.`).waitFor();
  expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(
    'http://127.0.0.1:3000/login',
  );
  expect((await identity.signInWithPassword(email, 'et nytt passord')).idToken).not.toBe('');
  await page.goto(mailbox.url);
  await entry.getByText('used').waitFor();
});
