/** A condition of a query, ready to be decided for every row. */
export type RowCondition = {
  /** Member that the condition is on; the facet of this member ignores it. */
  readonly member: string;
} & (
  | { readonly kind: 'codes'; readonly codes: Uint32Array; readonly allowed: Uint8Array }
  | {
      readonly kind: 'range';
      readonly values: Float64Array;
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'rows'; readonly isMatch: (row: number) => boolean }
);

/**
 * Writes to `verdicts`, from index 0, whether `rows[from]` to `rows[to - 1]` meet the condition, as 1 or 0. Each type
 * of condition has its own loop, so that each row costs a few machine instructions.
 */
export function judge(
  test: RowCondition,
  rows: Uint32Array,
  { from, to }: { from: number; to: number },
  verdicts: Uint8Array,
): void {
  switch (test.kind) {
    case 'codes': {
      const { codes, allowed } = test;
      for (let index = from; index < to; index += 1)
        verdicts[index - from] = allowed[codes[rows[index] as number] as number] as number;
      return;
    }
    case 'range': {
      const { values, min, max } = test;
      for (let index = from; index < to; index += 1) {
        const value = values[rows[index] as number] as number;
        verdicts[index - from] = value >= min && value <= max ? 1 : 0;
      }
      return;
    }
    default: {
      const { isMatch } = test;
      for (let index = from; index < to; index += 1)
        verdicts[index - from] = isMatch(rows[index] as number) ? 1 : 0;
    }
  }
}
