/** Work on columns that pauses at each `yield`, so that it can run a few milliseconds at a time. */
export type Slices<R> = Generator<void, R, void>;

/** Runs the work without pauses, for work that is small for every query. */
export function doneAtOnce<R>(slices: Slices<R>): R {
  let step = slices.next();
  while (!step.done) step = slices.next();
  return step.value;
}
