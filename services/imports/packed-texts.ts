const FIRST_BYTES = 256 * 1024;
/** Of one UTF-16 unit in UTF-8, at most. */
const BYTES_PER_UNIT = 3;

/**
 * Texts in one buffer. The rows of a batch live until it is inserted: as strings, each collection of the young generation
 * would copy them, which took a third of a worker's processor time.
 */
export class PackedTexts implements Iterable<string> {
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #size = 0;
  readonly #ends: number[] = [];

  get length(): number {
    return this.#ends.length;
  }

  /** All texts, one after the other. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }

  push(text: string): void {
    const needed = this.#size + text.length * BYTES_PER_UNIT;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length));
      this.bytes.copy(larger);
      this.#buffer = larger;
    }
    this.#size += this.#buffer.write(text, this.#size);
    this.#ends.push(this.#size);
  }

  /** @throws RangeError for a place outside */
  at(place: number): string {
    const end = this.#ends[place];
    if (end === undefined) throw new RangeError(`There is no text ${place}`);
    return this.#buffer.toString('utf8', this.#ends[place - 1] ?? 0, end);
  }

  *[Symbol.iterator](): Generator<string> {
    for (let place = 0; place < this.length; place += 1) yield this.at(place);
  }
}
