/** The learner and quiz of unsent answers. A browser may be shared: answers are sent only as their learner. */
export type Owner = { uid: string; quizId: string };

/** What the server has not acknowledged yet of a quiz; it survives a reload or a crash. */
type Unsent = {
  /** By question: the last choice, from whichever tab. */
  answers: Record<string, string>;
  /** By answered question: how long it was shown before the answer, in milliseconds, where that is known. */
  shownMs: Record<string, number>;
  /** By question: whether it is marked. */
  marks: Record<string, boolean>;
  /** Whether the quiz is to be handed in once the answers have arrived. */
  handIn: boolean;
};

const NOTHING: Unsent = { answers: {}, shownMs: {}, marks: {}, handIn: false };

export const UNSENT_PREFIX = 'proveklar.unsent.';

export const storageKey = ({ uid, quizId }: Owner) => `${UNSENT_PREFIX}${uid}.${quizId}`;

/** Used where storage is blocked or full; it lasts as long as the page. */
const memory = new Map<string, string>();

export function readUnsent(owner: Owner): Unsent {
  const key = storageKey(owner);
  try {
    const stored: unknown = JSON.parse(memory.get(key) ?? localStorage.getItem(key) ?? '{}');
    const { answers, shownMs, marks, handIn } = Object(stored) as Record<keyof Unsent, unknown>;
    const isText = (value: unknown) => typeof value === 'string';
    const isDuration = (value: unknown): value is number =>
      Number.isSafeInteger(value) && Number(value) >= 0;
    const isFlag = (value: unknown) => typeof value === 'boolean';
    return {
      answers: only(answers, isText),
      shownMs: only(shownMs, isDuration),
      marks: only(marks, isFlag),
      handIn: handIn === true,
    };
  } catch {
    return NOTHING;
  }
}

/** Keeps only the valid entries of stored content. */
function only<T>(entries: unknown, fits: (value: unknown) => value is T): Record<string, T> {
  const fitting = Object.entries(Object(entries) as object).filter((entry): entry is [string, T] =>
    fits(entry[1]),
  );
  return Object.fromEntries(fitting);
}

function write(owner: Owner, { answers, shownMs, marks, handIn }: Unsent): void {
  const key = storageKey(owner);
  memory.delete(key);
  const isEmpty = !handIn && Object.keys({ ...answers, ...marks }).length === 0;
  const value = JSON.stringify({ answers, shownMs, marks, handIn, at: Date.now() });
  try {
    if (isEmpty) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (!isEmpty) memory.set(key, value);
  }
}

// Each of these reads before it writes, because another tab may have the same quiz open.

/** @param shownMs how long the question was shown before the answer; left out where that is unknown */
export function keepAnswer(owner: Owner, question: string, answer: string, shownMs?: number): void {
  const unsent = readUnsent(owner);
  const { [question]: _, ...others } = unsent.shownMs;
  write(owner, {
    ...unsent,
    answers: { ...unsent.answers, [question]: answer },
    shownMs: shownMs === undefined ? others : { ...others, [question]: shownMs },
  });
}

/** Forgets an acknowledged answer; with `only`, not if another choice has been stored meanwhile. */
export function forgetAnswer(owner: Owner, question: string, only?: string): void {
  const unsent = readUnsent(owner);
  const { [question]: kept, ...answers } = unsent.answers;
  if (kept === undefined || (only !== undefined && kept !== only)) return;
  const { [question]: _, ...shownMs } = unsent.shownMs;
  write(owner, { ...unsent, answers, shownMs });
}

export function keepMark(owner: Owner, question: string, marked: boolean): void {
  const unsent = readUnsent(owner);
  write(owner, { ...unsent, marks: { ...unsent.marks, [question]: marked } });
}

/** Forgets an acknowledged mark, unless it was changed meanwhile. */
export function forgetMark(owner: Owner, question: string, sent: boolean): void {
  const unsent = readUnsent(owner);
  const { [question]: kept, ...others } = unsent.marks;
  if (kept === sent) write(owner, { ...unsent, marks: others });
}

export function keepHandIn(owner: Owner, handIn: boolean): void {
  const unsent = readUnsent(owner);
  if (unsent.handIn !== handIn) write(owner, { ...unsent, handIn });
}

/** Forgets everything of a quiz that is over. */
export function forgetUnsent(owner: Owner): void {
  write(owner, NOTHING);
}

/** Whether unsent answers survive this page. */
export function isKept(owner: Owner): boolean {
  return !memory.has(storageKey(owner));
}
