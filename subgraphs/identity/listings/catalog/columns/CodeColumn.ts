const none: readonly string[] = [];

/**
 * A column of texts or sets of texts. A row holds the number of its set in a dictionary, so a condition is evaluated
 * once for each distinct set, regardless of the number of rows. Numbers of unused sets are reused.
 */
export class CodeColumn {
  /** Set number by row; 0 is the empty set. */
  codes: Uint32Array;
  /** The sets, by their number. */
  readonly sets: (readonly string[])[] = [none];
  readonly #keys: string[] = [''];
  /** Rows that hold a set, by its number. */
  readonly #uses: number[] = [0];
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];

  constructor(capacity: number) {
    this.codes = new Uint32Array(capacity);
  }

  grow(capacity: number): void {
    const codes = new Uint32Array(capacity);
    codes.set(this.codes);
    this.codes = codes;
  }

  set(row: number, values: readonly string[]): void {
    this.clear(row);
    if (values.length === 0) return;
    // Lengths distinguish ["a:", "b"] from ["a", ":b"].
    const key = values.map((value) => `${value.length}:${value}`).join('');
    const number = this.#numbers.get(key) ?? this.#claim(key, values);
    this.#uses[number] = (this.#uses[number] as number) + 1;
    this.codes[row] = number;
  }

  clear(row: number): void {
    const number = this.codes[row] as number;
    if (number === 0) return;
    this.codes[row] = 0;
    const left = (this.#uses[number] as number) - 1;
    this.#uses[number] = left;
    if (left > 0) return;
    this.#numbers.delete(this.#keys[number] as string);
    this.sets[number] = none;
    this.#keys[number] = '';
    this.#free.push(number);
  }

  /** Returns which sets a condition allows, by their number. */
  allow(isAllowed: (values: readonly string[]) => boolean): Uint8Array {
    return Uint8Array.from(this.sets, (values) => (isAllowed(values) ? 1 : 0));
  }

  #claim(key: string, values: readonly string[]): number {
    const number = this.#free.pop() ?? this.sets.length;
    this.sets[number] = values;
    this.#keys[number] = key;
    this.#uses[number] = 0;
    this.#numbers.set(key, number);
    return number;
  }
}
