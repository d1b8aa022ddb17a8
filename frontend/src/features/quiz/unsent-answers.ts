/** Whose answers, and of which quiz: a browser may be shared, and nobody sends another's answers. */
export type Owner = { uid: string; quizId: string };

/** What the server has not confirmed of a quiz; it survives a reload or a crash. */
type Unsent = {
  /** By question. What stands here last is the last choice, whichever tab made it. */
  answers: Record<string, string>;
  /** By question: whether it is to be come back to. */
  marks: Record<string, boolean>;
  /** It shall be handed in as soon as these have arrived. */
  handIn: boolean;
};

const NOTHING: Unsent = { answers: {}, marks: {}, handIn: false };

export const UNSENT_PREFIX = 'proveklar.unsent.';

export const storageKey = ({ uid, quizId }: Owner) => `${UNSENT_PREFIX}${uid}.${quizId}`;

/** Where storage is blocked or full: what is here lives as long as the page. */
const memory = new Map<string, string>();

export function readUnsent(owner: Owner): Unsent {
  const key = storageKey(owner);
  try {
    const stored: unknown = JSON.parse(memory.get(key) ?? localStorage.getItem(key) ?? '{}');
    const { answers, marks, handIn } = Object(stored) as Record<keyof Unsent, unknown>;
    const isText = (value: unknown) => typeof value === 'string';
    const isFlag = (value: unknown) => typeof value === 'boolean';
    return {
      answers: only(answers, isText),
      marks: only(marks, isFlag),
      handIn: handIn === true,
    };
  } catch {
    return NOTHING;
  }
}

/** What is stored may be anything. */
function only<T>(entries: unknown, fits: (value: unknown) => value is T): Record<string, T> {
  const fitting = Object.entries(Object(entries) as object).filter((entry): entry is [string, T] =>
    fits(entry[1]),
  );
  return Object.fromEntries(fitting);
}

function write(owner: Owner, { answers, marks, handIn }: Unsent): void {
  const key = storageKey(owner);
  memory.delete(key);
  const isEmpty = !handIn && Object.keys({ ...answers, ...marks }).length === 0;
  const value = JSON.stringify({ answers, marks, handIn, at: Date.now() });
  try {
    if (isEmpty) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    if (!isEmpty) memory.set(key, value);
  }
}

// Each of these reads first: another tab may have the same quiz open.

export function keepAnswer(owner: Owner, question: string, answer: string): void {
  const unsent = readUnsent(owner);
  write(owner, { ...unsent, answers: { ...unsent.answers, [question]: answer } });
}

/** Forgets an answer that has arrived, unless (`only`) another choice stands there by now. */
export function forgetAnswer(owner: Owner, question: string, only?: string): void {
  const unsent = readUnsent(owner);
  const { [question]: kept, ...others } = unsent.answers;
  if (kept === undefined || (only !== undefined && kept !== only)) return;
  write(owner, { ...unsent, answers: others });
}

export function keepMark(owner: Owner, question: string, marked: boolean): void {
  const unsent = readUnsent(owner);
  write(owner, { ...unsent, marks: { ...unsent.marks, [question]: marked } });
}

/** Forgets a mark that has arrived, unless it was changed again by now. */
export function forgetMark(owner: Owner, question: string, sent: boolean): void {
  const unsent = readUnsent(owner);
  const { [question]: kept, ...others } = unsent.marks;
  if (kept === sent) write(owner, { ...unsent, marks: others });
}

export function keepHandIn(owner: Owner, handIn: boolean): void {
  const unsent = readUnsent(owner);
  if (unsent.handIn !== handIn) write(owner, { ...unsent, handIn });
}

/** For a quiz that is over: it takes no more answers. */
export function forgetUnsent(owner: Owner): void {
  write(owner, NOTHING);
}

/** Whether what is unsent would outlive this page. */
export function isKept(owner: Owner): boolean {
  return !memory.has(storageKey(owner));
}
