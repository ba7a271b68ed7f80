/** The answers of this many concurrent calls, in the order in which they began. */
export function concurrently<Answer>(
  times: number,
  call: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)));
}
