import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import adminNo from '../../frontend/src/texts/admin.no.json' with { type: 'json' };
import { findingsOf } from '#support/axe.ts';
import { useBrowser } from '#support/browser.ts';
import { createQuestions } from '#support/factories.ts';
import { drawLanguages, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { useOwnStack } from '#support/stack.ts';

const ADMIN = 'admin@example.no';
const ADMIN_TEXTS = { no: adminNo, en: adminEn };

// Questions with a picture, and an area in it for each option.
const stack = useOwnStack();
const browser = useBrowser();
const languages = drawLanguages();
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true };
const ALT = 'Kart med fire felt';

/** Taller than wide, with a field in each corner. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 400">
  <path fill="#cfe3f5" d="M0 0h300v400H0z"/><path fill="#9bbf85" d="M30 30h240v340H30z"/></svg>`;
const HASH = createHash('sha256').update(SVG).digest('hex');
const SHAPES = [
  '12,10 45,10 45,45 12,45',
  '55,10 88,10 88,45',
  '12,55 45,55 28,90',
  '60,60 64,60 64,63',
];

beforeAll(async () => {
  const { pool } = stack.current.database;
  // Options that are numbers look different: their test makes its own.
  await pool.query(String.raw`delete from question where answer ~ '^\w+ \d$'`);
  await pool.query(
    `insert into image (hash, type, content, width, height) values ($1, 'image/svg+xml', $2, 750, 1000)`,
    [HASH, Buffer.from(SVG)],
  );
  await drawAreas();
});

async function drawAreas(): Promise<void> {
  await stack.current.database.pool.query(
    `update question set image_hash = $1, image_alt = $2, areas = (
       select jsonb_agg(jsonb_build_object('name', option, 'shape', ($3::text[])[place]))
       from unnest(answer || incorrect) with ordinality as given (option, place))`,
    [HASH, ALT, SHAPES],
  );
}

async function answersOf(page: Page) {
  const asked = await page.getByRole('heading', { level: 1 }).innerText();
  const { rows } = await stack.current.database.pool.query<{ answer: string; incorrect: string[] }>(
    'select answer, incorrect from question where question = $1',
    [asked],
  );
  return rows[0]!;
}

test.each(languages)(
  'options are chosen in the picture or in the list, by hand and by keyboard ($language)',
  async (language) => {
    const learner = await newLearner(stack.current, { autoAdvance: false });
    const visitor = await Visitor.open(browser.current, stack.current, language, '/login', PHONE);
    const { page, t } = visitor;
    await visitor.signIn(learner.email, learner.password);
    await visitor.startDrill();
    await visitor.atQuestion(1, 10);
    const areas = page.getByRole('group', { name: t.picture.areas });
    const area = (option: string) =>
      areas.locator(`[role=button][aria-label$=${JSON.stringify(`: ${option}`)}]`);
    const inList = (option: string) =>
      page
        .getByRole('group', { name: t.run.options })
        .getByRole('button')
        .filter({ has: page.getByText(option, { exact: true }) });
    const pressed = (of: ReturnType<typeof area | typeof inList>) =>
      of.getAttribute('aria-pressed');
    const picture = page.getByRole('img', { name: ALT });
    await picture.waitFor();

    const size = (await picture.boundingBox())!;
    expect(size.height).toBeLessThanOrEqual(320);
    expect(size.width / size.height).toBeCloseTo(0.75, 1);
    expect(await areas.getByRole('button').count()).toBe(4);
    for (const one of await areas.getByRole('button').all()) {
      const { width, height } = (await one.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
    expect(await findingsOf(page)).toEqual([]);

    const first = await answersOf(page);
    await area(first.incorrect[0]!).tap();
    await visitor.button(t.run.next).waitFor();
    expect(await pressed(inList(first.incorrect[0]!))).toBe('true');
    expect(await pressed(area(first.incorrect[0]!))).toBe('true');
    await expect.poll(() => area(first.incorrect[0]!).getAttribute('data-area')).toBe('wrong');
    expect(await area(first.incorrect[0]!).textContent()).toMatch(/^[A-D] ✕$/);
    await expect.poll(() => area(first.answer).getAttribute('data-area')).toBe('key');
    expect(await area(first.answer).textContent()).toMatch(/^[A-D] ✓$/);
    expect(await findingsOf(page)).toEqual([]);

    // The next one by keyboard alone: Enter goes on, Tab finds the area, Space chooses it, Enter goes on again.
    await page.keyboard.press('Enter');
    await visitor.atQuestion(2, 10);
    const second = await answersOf(page);
    await area(second.answer).focus();
    await page.keyboard.press('Space');
    await visitor.button(t.run.next).waitFor();
    await expect.poll(() => area(second.answer).getAttribute('data-area')).toBe('right');
    expect(await pressed(inList(second.answer))).toBe('true');
    await page.keyboard.press('Enter');
    await visitor.atQuestion(3, 10);
    const third = await answersOf(page);
    const [letter = ''] = (await area(third.incorrect[0]!).getAttribute('aria-label'))!;
    await page.keyboard.press(letter.toLowerCase());
    await expect.poll(() => areas.locator('[aria-pressed=true]').textContent()).toBe(`${letter} ✕`);

    for (let n = 4; n <= 10; n += 1) {
      await visitor.button(t.run.next).click();
      await visitor.atQuestion(n, 10);
      await visitor.answer('right');
    }
    await visitor.button(t.run.finish).click();
    await visitor.button(t.result.show_wrong_other.replace('{{count}}', '2')).click();
    await page.getByRole('img', { name: ALT }).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);

test('the picture of the next question is loaded before the question is shown', async () => {
  const [language] = LANGUAGES;
  const { pool } = stack.current.database;
  await pool.query(
    `insert into image (hash, type, content, width, height)
     select encode(sha256(id::text::bytea), 'hex'), type, content, image.width, image.height
     from question, image where hash = $1`,
    [HASH],
  );
  await pool.query(`update question set image_hash = encode(sha256(id::text::bytea), 'hex')`);
  const learner = await newLearner(stack.current, { autoAdvance: false });
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login', PHONE);
  const { page } = visitor;
  const loaded = new Set<string>();
  page.on('requestfinished', (request) => {
    if (request.url().includes('/images/')) loaded.add(request.url());
  });
  await visitor.signIn(learner.email, learner.password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  await expect.poll(() => loaded.size).toBe(2);
  const ahead = [...loaded];
  await visitor.answer('right');
  await visitor.button(visitor.t.run.next).click();
  await visitor.atQuestion(2, 10);
  const src = await page.getByRole('img', { name: ALT }).getAttribute('src');
  expect(ahead.map((url) => new URL(url).pathname)).toContain(src);
  await pool.query('update question set image_hash = $1', [HASH]);
});

test('an area shows the number of its option once judged, where the picture has the numbers', async () => {
  const [language] = LANGUAGES;
  const { pool } = stack.current.database;
  await pool.query(
    `update question set answer = 'Nummer 4', incorrect = '{Nummer 1,Nummer 2,Nummer 3}'`,
  );
  await drawAreas();
  const learner = await newLearner(stack.current, { autoAdvance: false });
  const visitor = await Visitor.open(browser.current, stack.current, language, '/login', PHONE);
  await visitor.signIn(learner.email, learner.password);
  await visitor.startDrill();
  await visitor.atQuestion(1, 10);
  const areas = visitor.page.getByRole('group', { name: visitor.t.picture.areas });
  const area = (option: string) => areas.locator(`[role=button][aria-label$=": ${option}"]`);
  await area('Nummer 2').waitFor();
  expect(await areas.textContent()).toBe('');
  await area('Nummer 2').tap();
  await expect.poll(() => area('Nummer 2').textContent()).toBe('2 ✕');
  await expect.poll(() => area('Nummer 4').textContent()).toBe('4 ✓');
  expect(await area('Nummer 1').textContent()).toBe('');
});

test('a picture that does not load has its text, and can be loaded again', async () => {
  const [language] = LANGUAGES;
  const visitor = await Visitor.open(browser.current, stack.current, language, '/', PHONE);
  const { page, t } = visitor;
  await page.route('**/api/v1/images/*', (route) => route.abort());
  await page.goto(`${stack.current.url}/smakebit`);
  await page.getByText(t.picture.failed).waitFor();
  await page.getByText(ALT, { exact: true }).waitFor();
  expect(await findingsOf(page)).toEqual([]);
  await visitor.answer('right');
  await page.unroute('**/api/v1/images/*');
  await visitor.button(t.picture.retry).click();
  await page.getByRole('img', { name: ALT }).waitFor();
});

test.each(languages)(
  'an administrator gives a question a picture and draws its areas ($language)',
  async (language) => {
    const { t } = language;
    const { picture: p, field, fault, action, notice } = ADMIN_TEXTS[language.language].questions;
    const [id] = await createQuestions(stack.current.database.pool, {
      topic: `Bilder ${language.language}`,
      language: language.language,
      count: 1,
    }).then(async () => {
      const { rows } = await stack.current.database.pool.query<{ id: number }>(
        'select id from question where topic = $1',
        [`Bilder ${language.language}`],
      );
      return rows.map((row) => row.id);
    });
    const visitor = await Visitor.open(browser.current, stack.current, language, '/admin');
    const { page } = visitor;
    await visitor.button(t.auth.google).click();
    await visitor.fill(t.fields.email, ADMIN);
    await visitor.button(t.auth.emulated_google_continue).click();
    await page.waitForURL('**/admin/dashboard/home');
    await page.goto(`${stack.current.url}/admin/dashboard/questions/${id!}`);
    const choose = async (svg: string) => {
      const input = page.locator('input[type=file]');
      await input.setInputFiles({
        name: 'kart.svg',
        mimeType: 'image/svg+xml',
        buffer: Buffer.from(svg),
      });
    };
    const save = () => visitor.button(action.save_changes).click();
    const area = (n: number) => page.getByLabel(new RegExp(`^${p.area.split(' ')[0]!} ${n}: `));

    await choose(SVG.replace('<path', '<script/><path'));
    await page.getByLabel(field.image_alt).fill('x');
    await save();
    await page.getByText(`script: ${fault.svg_element}`).waitFor();
    await choose(SVG);
    await page.getByLabel(field.image_alt).fill('');
    await save();
    await page.getByLabel(field.image_alt).and(page.locator('[aria-invalid=true]')).waitFor();
    await page.getByLabel(field.image_alt).fill(ALT);

    // The first is drawn, the others are typed.
    await visitor.button(p.draw.replace('{{n}}', '1')).click();
    const canvas = page.getByRole('img', { name: p.preview });
    const { width, height } = (await canvas.boundingBox())!;
    for (const [x, y] of [
      [0.1, 0.1],
      [0.4, 0.1],
      [0.4, 0.4],
      [0.9, 0.9],
    ] as const) {
      await canvas.click({ position: { x: x * width, y: y * height }, force: true });
    }
    await visitor.button(p.undo.replace('{{n}}', '1')).click();
    await visitor.button(p.stop.replace('{{n}}', '1')).click();
    expect(await area(1).inputValue()).toMatch(
      /^\d+(\.\d)?,\d+(\.\d)?( \d+(\.\d)?,\d+(\.\d)?){2}$/,
    );
    await area(2).fill('50,10 90,10');
    await save();
    await page.getByText(fault.not_a_shape).waitFor();
    await page.getByText(fault.area_missing).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    for (const [at, shape] of SHAPES.slice(1).entries()) await area(at + 2).fill(shape);
    await save();
    await page.getByText(notice.saved.replace('{{id}}', String(id))).waitFor();
    const stored = async () =>
      (
        await stack.current.database.pool.query(
          `select image_hash, image_alt, jsonb_array_length(areas) as areas from question where id = $1`,
          [id],
        )
      ).rows[0];
    expect(await stored()).toEqual({ image_hash: HASH, image_alt: ALT, areas: 4 });
    await visitor.button(p.remove).click();
    await save();
    await expect.poll(stored).toEqual({ image_hash: null, image_alt: null, areas: null });
    expect(visitor.complaints).toEqual([expect.stringContaining('400')]);
  },
);
