/** The answers of a number of concurrent calls, in the order of their start. */
export function concurrently<Answer>(
  times: number,
  call: (index: number) => Promise<Answer>,
): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => call(index)));
}
