import { describe, expect, it } from 'vitest';
import { TOPICS } from './bank.ts';
import { TAGS } from './tags.ts';
import { question, times, useBankFolder } from './test-bank.ts';

const { lint, faultsOf } = useBankFolder();

const AT = 'historie.no.json[0] (historie-001)';

describe('tags', () => {
  it('are at most 60, each in one subject', () => {
    expect(TAGS.length).toBeLessThanOrEqual(60);
    expect(new Set(TAGS).size).toBe(TAGS.length);
  });

  it.each([
    [['byer'], ['tag "byer" is not in the list']],
    [['smakebit'], ['has no tag of a subject']],
    [undefined, ['has no tag of a subject']],
    [['pensjon', 'skatt', 'lønn', 'bolig', 'smakebit'], ['has more than 3 tags of subjects']],
    [['pensjon', 'skatt', 'lønn', 'smakebit'], []],
  ])('of a question are checked: %o', async (tags, faults) => {
    expect(await faultsOf(question(1, { tags }))).toEqual(faults.map((fault) => `${AT}: ${fault}`));
  });

  it('that no question has are reported when the bank is complete', async () => {
    const bank = (unused: string) => {
      const used = TAGS.filter((tag) => tag !== unused);
      return Object.fromEntries(
        Object.entries(TOPICS).map(([slug, { no }], at) => [
          `${slug}.no.json`,
          times(5, (n) =>
            question(n, {
              topic: no,
              question: `${no} ${n}?`,
              group: `${slug}-00${n}`,
              tags: used.filter((_, index) => index % 40 === at * 5 + n - 1),
            }),
          ),
        ]),
      );
    };
    expect((await lint(bank('lønn'))).faults).toEqual(['no question has the tag "lønn"']);
    expect((await lint(bank(''))).faults).toEqual([]);
  });
});
