/** Whose answers, and of which quiz: a browser may be shared, and nobody sends another's answers. */
export type Owner = { uid: string; quizId: string };

/** What the server has not confirmed of a quiz; it survives a reload or a crash. */
export type Unsent = {
  /** By question. What stands here last is the last choice, whichever tab made it. */
  answers: Record<string, string>;
  /** It shall be handed in as soon as these have arrived. */
  handIn: boolean;
};

export const UNSENT_PREFIX = 'proveklar.unsent.';

export const storageKey = ({ uid, quizId }: Owner) => `${UNSENT_PREFIX}${uid}.${quizId}`;

/** Where storage is blocked or full: what is here lives as long as the page. */
const memory = new Map<string, string>();

export function readUnsent(owner: Owner): Unsent {
  const key = storageKey(owner);
  try {
    const stored: unknown = JSON.parse(memory.get(key) ?? localStorage.getItem(key) ?? '{}');
    const { answers, handIn } = Object(stored) as { answers?: unknown; handIn?: unknown };
    const entries = Object.entries(Object(answers) as object).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { answers: Object.fromEntries(entries), handIn: handIn === true };
  } catch {
    return { answers: {}, handIn: false };
  }
}

function write(owner: Owner, { answers, handIn }: Unsent): void {
  const key = storageKey(owner);
  memory.delete(key);
  const isEmpty = Object.keys(answers).length === 0 && !handIn;
  const value = JSON.stringify({ answers, handIn, at: Date.now() });
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
  const { answers, handIn } = readUnsent(owner);
  const { [question]: kept, ...others } = answers;
  if (kept === undefined || (only !== undefined && kept !== only)) return;
  write(owner, { answers: others, handIn });
}

export function keepHandIn(owner: Owner, handIn: boolean): void {
  const unsent = readUnsent(owner);
  if (unsent.handIn !== handIn) write(owner, { ...unsent, handIn });
}

/** For a quiz that is over: it takes no more answers. */
export function forgetUnsent(owner: Owner): void {
  write(owner, { answers: {}, handIn: false });
}

/** Whether what is unsent would outlive this page. */
export function isKept(owner: Owner): boolean {
  return !memory.has(storageKey(owner));
}
