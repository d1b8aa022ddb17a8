import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Status } from '@proveklar/operators/status/status.ts';
import { renderStatus } from '@proveklar/operators/status/page.ts';
import adminEn from '../../frontend/src/texts/admin.en.json' with { type: 'json' };
import { openContext, useBrowser } from '#support/browser.ts';
import { type JourneyLanguage, LANGUAGES, newLearner, Visitor } from '#support/journey.ts';
import { ApiLearner } from '#support/learner.ts';
import { type OwnRedis, ownRedis } from '#support/own-redis.ts';
import { LANDING, photograph, pictureProfile } from '#support/photograph.ts';
import { testSettings } from '#support/settings.ts';
import { startStack, type TestStack } from '#support/stack.ts';

// The pictures of README.md, docs/ and the landing page: `npm run screenshots` saves them, every other run only takes them.
const browser = useBrowser();
const [norwegian, english] = LANGUAGES;
let redis: OwnRedis;
let stack: TestStack;
beforeAll(async () => {
  redis = await ownRedis();
  await redis.start(false);
  stack = await startStack({ environment: { QUEUE_URL: redis.url } });
});
afterAll(async () => {
  await stack?.close();
  await redis?.close();
});

/** The same question in the language of each page, with an option that is wrong. Its uuid gives the order of the options. */
const SHOWN = {
  no: {
    topic: 'Historie',
    question: 'Hvilket land var Norge i union med fram til 1814?',
    wrong: 'Tyskland',
    uuid: '00000003-0000-4000-8000-000000000000',
  },
  en: {
    topic: 'History',
    question: 'Which country was Norway in a union with until 1814?',
    wrong: 'Germany',
    uuid: '00000003-0000-4000-8000-000000000001',
  },
};

test('a question with its explanation', async () => {
  const visitor = await atExplanation(norwegian);
  await photograph(visitor.page, 'question');
  await photographPhone(visitor, 'practise-no');
  await photographPhone(await atExplanation(english), 'practise-en');
});

/** For the landing page: with the header, and the whole question. */
async function photographPhone({ page, complaints }: Visitor, name: string): Promise<void> {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.evaluate('window.scrollTo(0, 0)');
  await photograph(page, name, ['light', 'dark'], { folder: LANDING, pixels: 720 });
  expect(complaints).toEqual([]);
}

/** A new learner who has answered the third question of ten wrongly. */
async function atExplanation(pages: JourneyLanguage): Promise<Visitor> {
  const { pool } = stack.database;
  const { language } = pages;
  const { topic, question, wrong, uuid } = SHOWN[language];
  // Ten questions in the order of the seed.
  await pool.query(
    `update question set validated = id in (
       select id from question where topic = $1 and language = $2 order by id limit 10)
     where topic = $1 and language = $2`,
    [topic, language],
  );
  await pool.query('update question set uuid = $2 where question = $1', [question, uuid]);
  const learner = await newLearner(stack);
  const api = await ApiLearner.signIn(stack, learner);
  const quiz = await api.start({ topic, language, question_count: 10, instant_feedback: true });
  await pool.query(
    `update quiz_question set position = place from (
       select question_id as id, row_number() over (order by question_id) - 1 as place
       from quiz_question where quiz_id = $1) ordered
     where quiz_id = $1 and question_id = ordered.id`,
    [quiz.id],
  );
  const { rows } = await pool.query<{ uuid: string; answer: string }>(
    `select uuid, answer from quiz_question join question on question.id = question_id
     where quiz_id = $1 order by position limit 2`,
    [quiz.id],
  );
  for (const first of rows) {
    await api.call(`quiz/${quiz.id}/answer`, { question_id: first.uuid, answer: first.answer });
  }

  const visitor = await open(pages, '/login', 900, 830);
  const { page, t } = visitor;
  await visitor.signIn(learner.email, learner.password);
  await page.goto(`${stack.url}/quiz/${quiz.id}`);
  await visitor.atQuestion(3, 10);
  await page.getByRole('heading', { level: 1, name: question }).waitFor();
  await page.getByLabel(t.run.auto_advance).uncheck();
  await page.getByText(wrong, { exact: true }).click();
  await page.getByLabel(t.run.explanation, { exact: true }).waitFor();
  return visitor;
}

/** What applications show of a shared link: as large as they ask for, and in no language but names. */
const SHARED = { width: 1_200, height: 630 };

test('the picture of a shared link', async () => {
  const context = await openContext(browser.current, { viewport: SHARED });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'base64');
  const font = file('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
  await page.setContent(`<style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; height: ${SHARED.height}px; background: linear-gradient(#dcebf2, #fdf1de 75%);
      color: #092e43; font-family: Inter; overflow: hidden }
    img { position: absolute; right: 0; bottom: 0; width: 1200px }
    div { position: absolute; z-index: 1; left: 64px; top: 64px }
    b { display: block; font-size: 92px; font-weight: 780; letter-spacing: -3px; line-height: 1.1 }
    p { margin: 12px 0 0; font-size: 34px; font-weight: 600; line-height: 1.35 }
  </style>
  <div><b>Prøveklar</b><p>Samfunnskunnskapsprøven<br>Statsborgerprøven</p></div>
  <img src="data:image/svg+xml;base64,${file('frontend/src/features/landing/hero.svg')}">`);
  await page.evaluate('document.fonts.ready.then(() => {})');
  await expect.poll(() => page.evaluate('document.images[0].complete')).toBe(true);
  const picture = await page.screenshot({ type: 'png' });
  expect(picture.length).toBeGreaterThan(20_000);
  if (testSettings().SCREENSHOTS !== '1') return;
  await writeFile(new URL('../../frontend/public/share.png', import.meta.url), picture);
});

/** Of questions, in the file that is imported. */
const ROWS = 100_000;
/** How many are in the bank when the picture is taken: a whole number of batches. */
const SEEN_ROWS = 65_000;
const ROWS_PER_BATCH = 5_000;
/** Any number: the first half of the key of an advisory lock. */
const GATE = 7_001;

test('an import under way, the status page meanwhile, and while Redis is down', async () => {
  await practiseAndPay(3);
  const openGate = await closeGate(SEEN_ROWS / ROWS_PER_BATCH);

  const { t } = english;
  const texts = adminEn.import;
  const visitor = await open(english, '/admin/dashboard', 1200, 580);
  const { page } = visitor;
  await visitor.button(t.auth.google).click();
  await visitor.fill(t.fields.email, 'admin@example.no');
  await visitor.button(t.auth.emulated_google_continue).click();
  await visitor.button(texts.choose).waitFor();
  await page.setInputFiles('input[type=file]', questionFile('question-bank.csv'));
  await visitor.button(texts.start).click();
  await page.getByText(texts.note_sent).waitFor();
  // For the date of the picture.
  await stack.database.pool.query('update question_import set created_at = $1', [AT]);
  await page.getByText('65,000', { exact: true }).waitFor();
  await photograph(page, 'import');

  // A canary event has come through every queue.
  await expect
    .poll(async () => (await readStatus()).queues.map((queue) => queue.canaryAgeSeconds))
    .not.toContain(null);
  await photographStatus('status');

  await openGate();
  await redis.shutDown();
  await expect.poll(async () => (await readStatus()).queues[0]?.counts).toBe(null);
  await photographStatus('status-redis-down');
});

/** A visitor whose page has the size of a picture. */
function open(
  language: (typeof LANGUAGES)[number],
  path: string,
  width: number,
  height: number,
): Promise<Visitor> {
  return Visitor.open(browser.current, stack, language, path, pictureProfile(width, height));
}

/** Learners who pay, are mailed a receipt, and take two quizzes each. */
async function practiseAndPay(learners: number): Promise<void> {
  for (let n = 0; n < learners; n += 1) {
    const api = await ApiLearner.signIn(stack, await newLearner(stack));
    await api.pay();
    await api.play({ topic: 'Geografi' });
    await api.play({ topic: 'Arbeidsliv' });
  }
  const mails = async () => (await readStatus()).parts.find(({ id }) => id === 'mails');
  await expect.poll(async () => (await mails())?.figure.value).toBe(learners);
}

/** A CSV file: one row in 2,000 lacks its answer, one in 1,000 is there twice. */
function questionFile(name: string) {
  const row = (n: number) => {
    const number = n % 1_000 === 999 ? n - 1 : n;
    const answer = n % 2_000 === 500 ? '' : 'Stortinget';
    return `no,Demokrati og lov,Hvem vedtok lov nummer ${number}?,${answer},Regjeringen,Kongen\n`;
  };
  const header = 'language,topic,question,answer,incorrect_1,incorrect_2\n';
  const content = header + Array.from({ length: ROWS }, (_, n) => row(n)).join('');
  return { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
}

/**
 * Holds an import before the batch of this number, so that both pictures show the same.
 *
 * @returns a function that lets it go on
 */
async function closeGate(batch: number): Promise<() => Promise<void>> {
  const { pool } = stack.database;
  await pool.query(`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${GATE}, new.number);
      return new;
    end $$;
    create trigger gate before insert on import_batch
      for each row execute function wait_at_gate()`);
  const holder = await pool.connect();
  onTestFinished(() => holder.release(true));
  // Two are on their way into the bank at a time.
  for (const number of [batch, batch + 1]) {
    await holder.query('select pg_advisory_lock($1, $2)', [GATE, number]);
  }
  return async () => {
    await holder.query('select pg_advisory_unlock_all()');
  };
}

async function readStatus(): Promise<Status> {
  return (await (await fetch(`${stack.operatorsUrl}/status.json`)).json()) as Status;
}

async function photographStatus(name: string): Promise<void> {
  const context = await openContext(browser.current, pictureProfile(1200, 800));
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const status = comparable(await readStatus());
  await page.setContent(renderStatus(status, { isRefreshPaused: false }));
  const height = await page.evaluate<number>('document.documentElement.offsetHeight');
  await page.setViewportSize({ width: 1200, height });
  await photograph(page, name);
}

/** The moment of every picture. */
const AT = '2026-11-23T12:00:00.000Z';
const before = (seconds: number) => new Date(Date.parse(AT) - seconds * 1000).toISOString();

/** The same status without what differs from run to run: times, connections, hosts and memory. */
function comparable(status: Status): Status {
  const sameTimes = (text: string) =>
    text.replace(/\d+ s ago/u, '8 s ago').replace(/\d+ ms/u, '2 ms');
  return {
    ...status,
    at: AT,
    parts: status.parts.map((part) => ({
      ...part,
      figure: part.id === 'database' ? { ...part.figure, value: 20 } : part.figure,
      findings: part.findings.map((finding) => ({ ...finding, found: sameTimes(finding.found) })),
      since: part.since && before(20),
    })),
    queues: status.queues.map((queue) => ({
      ...queue,
      oldestSeconds: queue.oldestSeconds && 12,
      canaryAgeSeconds: 5,
    })),
    processes: status.processes.map((process, index) => ({
      ...process,
      host: `host-${index + 1}`,
      startedAt: before(15 * 60),
      seenSecondsAgo: 2,
      memoryBytes: 200_000_000,
    })),
  };
}
