/** Work on columns that pauses wherever it yields, so that it can be done a few milliseconds at a time. */
export type Slices<R> = Generator<void, R, void>;

/** Does all of it at once: for work that is small for any query. */
export function doneAtOnce<R>(slices: Slices<R>): R {
  let step = slices.next();
  while (!step.done) step = slices.next();
  return step.value;
}
