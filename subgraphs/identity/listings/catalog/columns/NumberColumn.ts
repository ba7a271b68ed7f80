/** A column of numbers; NaN for a row without a value. */
export class NumberColumn {
  /** Values by row. */
  values: Float64Array;

  constructor(capacity: number) {
    this.values = new Float64Array(capacity).fill(Number.NaN);
  }

  grow(capacity: number): void {
    const values = new Float64Array(capacity).fill(Number.NaN);
    values.set(this.values);
    this.values = values;
  }

  set(row: number, value: number): void {
    this.values[row] = value;
  }

  clear(row: number): void {
    this.values[row] = Number.NaN;
  }
}
