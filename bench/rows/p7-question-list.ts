import type { QuestionBankResponse } from '@proveklar/contract/questions.ts';
import { bankOf } from '#support/bank.ts';
import { interleaved, median, timed } from '#support/figures.ts';
import { startProduct } from '#support/product.ts';
import { Psql, requirePsql } from '#support/psql.ts';
import { countStatement, FILTERED_LISTS, type FilteredList } from '#support/question-filters.ts';
import type { Bench, Measurement, Row } from '#row.ts';

const TARGET = 1.5;
// Below this a user sees no difference, and HTTP takes longer than the count.
const IMPERCEPTIBLE_MS = 25;
const PER_PAGE = 20;

export const row: Row = {
  id: 'P7',
  title: "Any page of the administrator's question list",
  sides: {
    value: 'the page through the gateway with the worst ratio',
    limit: 'select count(*) with the same filter in psql',
  },
  unit: 'ms',
  target: { at: 'most', ratio: TARGET },
  measure,
};

// Changes nothing, but counts as a change of the bank, which invalidates the cached lists.
const TOUCH = 'update question set validated = validated where false';
const FIRST_LOOK = 'first look';
/** A page in the middle as the first that is asked for after a change. Reported too. */
const MIDDLE_LOOK = 'first look at the middle';
type Look = typeof FIRST_LOOK | typeof MIDDLE_LOOK;
const isLook = (page: Cell['page']): page is Look => typeof page === 'string';

interface Cell {
  list: string;
  /** An order other than the default. Measured too, although `count(*)` has no order to compare with. */
  isSorted: boolean;
  page: number | Look;
  matches: number;
  value: number;
  slowest: number;
  limit: number;
}

async function measure(bench: Bench): Promise<Measurement> {
  requirePsql();
  const size = bench.quick ? 20_000 : 1_000_000;
  const rounds = bench.quick ? 1 : 5;
  const url = await bankOf(bench, size);
  const product = await startProduct(bench, url, { workers: false });
  const psql = new Psql(url);
  try {
    await bench.scratch.checkpoint();
    const read = reader(product.url, bench.identity.tokenOf('admin'));
    const cells: Cell[] = [];
    for (const list of FILTERED_LISTS) {
      const matches = await expectSameCount(list, read, psql);
      const pages = pagesOf(matches);
      const middle = pages[1] ?? 1;
      for (const page of [FIRST_LOOK, MIDDLE_LOOK, ...pages] as const) {
        const number = page === FIRST_LOOK ? 1 : page === MIDDLE_LOOK ? middle : page;
        const [ours = [], theirs = []] = await interleaved(rounds, [
          async () => {
            if (isLook(page)) await psql.time(TOUCH);
            return timed(() => read(list, number));
          },
          async () => (await psql.time(countStatement(list.where))).ms,
        ]);
        const slowest = Math.max(...ours);
        const [value, limit] = [median(ours), median(theirs)];
        const isSorted = list.query.sort !== undefined;
        cells.push({ list: list.name, isSorted, page, matches, value, slowest, limit });
      }
    }
    return summary(cells, size, rounds);
  } finally {
    psql.close();
    await product.stop();
  }
}

type Read = (list: FilteredList, page: number) => Promise<QuestionBankResponse>;

function reader(url: string, token: string): Read {
  return async ({ query }, page) => {
    const entries = Object.entries({ ...query, page }).map(([name, value]) => [
      name,
      String(value),
    ]);
    const search = new URLSearchParams(
      Object.fromEntries(entries) as Record<string, string>,
    ).toString();
    const response = await fetch(`${url}/api/v1/questions?${search}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${search}: ${response.status} ${text}`);
    return JSON.parse(text) as QuestionBankResponse;
  };
}

/** Checks that both sides count the same. Also warms up both. */
async function expectSameCount(list: FilteredList, read: Read, psql: Psql): Promise<number> {
  const { total } = await read(list, 1);
  const { output } = await psql.time(countStatement(list.where));
  if (total !== Number(output)) {
    throw new Error(`${list.name}: the list says ${total}, psql ${output}`);
  }
  return total;
}

function pagesOf(matches: number): number[] {
  const last = Math.max(1, Math.ceil(matches / PER_PAGE));
  return [...new Set([1, Math.ceil(last / 2), last])];
}

const ratioOf = ({ value, limit }: Cell) => value / limit;
const isAtOnce = ({ value }: Cell) => value < IMPERCEPTIBLE_MS;
const worstOf = (cells: Cell[]) =>
  cells.reduce((one, other) => (ratioOf(other) > ratioOf(one) ? other : one));

const slowestOf = (cells: Cell[]) =>
  cells.reduce((one, other) => (other.value > one.value ? other : one));

function summary(all: Cell[], size: number, rounds: number): Measurement {
  const cells = all.filter(({ isSorted, page }) => !isSorted && page !== MIDDLE_LOOK);
  const middles = all.filter(({ isSorted, page }) => !isSorted && page === MIDDLE_LOOK);
  const sorted = all.filter(({ isSorted }) => isSorted);
  const felt = cells.filter((cell) => !isAtOnce(cell));
  const worst = worstOf(felt.length > 0 ? felt : cells);
  const missed = felt.filter((cell) => ratioOf(cell) > TARGET);
  const looks = cells.filter(({ page }) => isLook(page));
  const pages = cells.filter(({ page }) => !isLook(page));
  const missedLooks = missed.filter(({ page }) => isLook(page));
  const tell = (cell: Cell) =>
    `${cell.list}, ${isLook(cell.page) ? cell.page : `page ${cell.page}`}: ${cell.value.toFixed(1)} ms, ${ratioOf(cell).toFixed(2)} times ${cell.limit.toFixed(1)} ms`;
  return {
    value: worst.value,
    limit: worst.limit,
    met: missed.length === 0,
    notes: [
      `${size.toLocaleString('en')} questions; worst: ${tell(worst)}`,
      `${missed.length - missedLooks.length} of ${pages.length} pages after a first look miss the target; the slowest: ${tell(slowestOf(pages))}`,
      `${missedLooks.length} of ${looks.length} first looks at a list after a change of the bank miss it; the slowest: ${tell(slowestOf(looks))}`,
      `a page in the middle as the first after a change, which fills the cache, is not part of the target; the worst: ${tell(worstOf(middles))}`,
      `in other orders, which are not part of the target: the slowest first look ${tell(slowestOf(sorted.filter(({ page }) => isLook(page))))}; the slowest page after it ${tell(slowestOf(sorted.filter(({ page }) => !isLook(page))))}`,
      `less than ${IMPERCEPTIBLE_MS} ms counts as met whatever its ratio (${cells.length - felt.length} of ${cells.length})`,
      `GET /api/v1/questions with its total, token verified, over one keep-alive connection; psql started once, with its own timing; median of ${rounds} rounds, alternating, on the same server`,
    ],
    table: [
      ['list', 'matches', 'page', 'ours, ms', 'slowest', 'count(*), ms', 'ratio'],
      ...all.map((cell) => [
        cell.list,
        String(cell.matches),
        String(cell.page),
        ...[cell.value, cell.slowest, cell.limit].map((ms) => ms.toFixed(1)),
        ratioOf(cell).toFixed(2),
      ]),
    ],
  };
}
