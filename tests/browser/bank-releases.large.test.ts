import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withTransaction } from '@proveklar/services/database/pool.ts';
import { editQuestion, lockQuestion } from '@proveklar/services/questions/edit-question.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { fileRow } from '#support/imports.ts';
import { drawLanguages, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const TEXTS = { no: adminNo, en: adminEn };

const dir = await mkdtemp(join(tmpdir(), 'bank-'));
afterAll(() => rm(dir, { recursive: true }));
const release = (rows: object[]) => writeFile(join(dir, 'bank.no.json'), JSON.stringify(rows));
const row = (group: string, question: string, change: object = {}) =>
  fileRow(question, { group, ...change });

const BEFORE = [row('a-001', 'Hva er A?'), row('a-002', 'Hva er B?'), row('a-003', 'Hva er C?')];
const NEXT = [
  row('a-001', 'Hva er A nå?', { explanation: 'Fordi.' }),
  row('a-002', 'Hva er B nå?'),
  row('a-004', 'Hva er D?'),
];
await release(BEFORE);
const stack = useOwnStack({ environment: { BANK_DIR: dir } });
const browser = useBrowser();

const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{\{(\w+)\}\}/gu, (_, name: string) => values[name] ?? '');

async function bank(): Promise<string[]> {
  const { rows } = await stack.current.database.pool.query<{ known: string }>(
    `select question || case when retired_at is not null then ' retired'
       when validated then ' valid' else ' pending' end as known
     from question order by translation_group`,
  );
  return rows.map(({ known }) => known);
}

/** An administrator edits the question of a group. */
async function edit(group: string): Promise<void> {
  const { pool } = stack.current.database;
  const { rows } = await pool.query<{ id: number }>(
    'select id from question where translation_group = $1',
    [group],
  );
  const current = await withTransaction(pool, (tx) => lockQuestion(tx, rows[0]!.id));
  await editQuestion(pool, {
    question: current.id,
    version: current.version,
    content: { ...current, explanation: 'Min egen.' },
    actor: ADMIN,
  });
}

test.each(drawLanguages())(
  'an administrator sees what a release changes and keeps, applies it and undoes it ($language)',
  async (language) => {
    const texts = TEXTS[language.language];
    const r = texts.bank_release;
    const { t } = language;
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    const { page } = visitor;
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await page.getByRole('link', { name: texts.shell.tab.questions, exact: true }).click();
    await page.getByRole('link', { name: r.link }).click();
    // The stack was seeded with this release.
    await page.getByText(r.up_to_date).waitFor();
    expect(await visitor.button(r.apply).count()).toBe(0);
    expect(await findingsOf(page)).toEqual([]);

    await edit('a-002');
    await release(NEXT);
    await page.reload();
    const tile = (name: keyof typeof r.count) =>
      page
        .locator('dl > div')
        .filter({ has: page.getByText(r.count[name], { exact: true }) })
        .locator('dd')
        .innerText();
    await visitor.button(r.apply).waitFor();
    expect(await Promise.all([tile('added'), tile('updated'), tile('retired')])).toEqual([
      '1',
      '1',
      '1',
    ]);
    await page.getByText(fill(r.kept, { n: '1' })).waitFor();
    await page.getByText(r.reason.edited).waitFor();
    await page.getByText(fill(r.list.updated, { n: '1' })).click();
    const fields = `${texts.questions.field.question}, ${texts.questions.field.explanation}`;
    await page.getByText(fill(r.changed_fields, { fields })).waitFor();
    await page.getByRole('link', { name: 'Hva er A nå?' }).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(await bank()).toEqual(['Hva er A? valid', 'Hva er B? valid', 'Hva er C? valid']);

    // The work has ended before the page sees it run.
    const running = () =>
      stack.current.database.pool.query(`select from bank_release_work where state = 'running'`);
    await page.route('**/api/v1/admin/bank-releases', async (route) => {
      const isRead = route.request().method() === 'GET';
      if (isRead) await expect.poll(async () => (await running()).rowCount).toBe(0);
      await route.continue();
    });
    await visitor.button(r.apply).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(r.apply_keeps).waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: r.apply }).click();
    await page.getByText(r.done.apply).waitFor();
    await page.getByText(r.up_to_date).waitFor();
    expect(await bank()).toEqual([
      'Hva er A nå? valid',
      'Hva er B? valid',
      'Hva er C? retired',
      'Hva er D? valid',
    ]);
    // The row of the release, with who applied it.
    await page.getByRole('cell', { name: ADMIN }).first().waitFor();

    await page.getByRole('button', { name: fill(r.undo_which, { time: '' }) }).click();
    await dialog.getByText(r.undo_new_one).waitFor();
    await dialog.getByRole('button', { name: r.undo }).click();
    await page.getByText(r.done.undo).waitFor();
    await visitor.button(r.apply).waitFor();
    expect(await bank()).toEqual(['Hva er A? valid', 'Hva er B? valid', 'Hva er C? valid']);

    // The folder has another release by the time that the button is pressed.
    await release([...NEXT, row('a-005', 'Hva er E?')]);
    await visitor.button(r.apply).click();
    await dialog.getByRole('button', { name: r.apply }).click();
    await dialog
      .getByText(fill(r.failed_apply, { reason: t.error.code.bank_release_changed }))
      .waitFor();
    await release(BEFORE);
    await visitor.page.context().close();
  },
);
