/** A question, as far as it excludes others from its quiz, because one gives the other away. */
export interface Excluding {
  /** The same for translations of the question. */
  group?: string | null;
  /** Groups whose questions must not stand beside it. */
  excludes?: readonly string[];
}

/** SQL: the columns of `Excluding`, of a `question`. */
export const EXCLUDING = `question.translation_group as "group", question.excludes`;

/**
 * The questions of a quiz, none of which excludes another, whichever of the two names the other. No two of them are
 * translations of each other.
 */
export class CompatibleQuestions {
  readonly #groups = new Set<string>();
  readonly #excluded = new Set<string>();

  /** Adds a question. Returns false, and does not, when it does not fit those that were added. */
  add({ group, excludes = [] }: Excluding): boolean {
    if (group && (this.#excluded.has(group) || this.#groups.has(group))) return false;
    if (excludes.some((other) => this.#groups.has(other))) return false;
    if (group) this.#groups.add(group);
    for (const other of excludes) this.#excluded.add(other);
    return true;
  }

  /** Adds the first `count` questions that fit. Returns them, and those that were passed over. */
  addFirst<T extends Excluding>(questions: readonly T[], count: number) {
    const added: T[] = [];
    const excluded: T[] = [];
    for (const question of questions) {
      if (added.length >= count) break;
      (this.add(question) ? added : excluded).push(question);
    }
    return { added, excluded };
  }
}
