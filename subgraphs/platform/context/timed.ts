import type { RequestContext } from './RequestContext.ts';

/** Parts of a request whose durations are stated in `Server-Timing` (W3C), so that equal requests have equal bodies. */
export type TimedPart = 'content' | 'analysis';

/** Runs a part of a request and records its duration; parts with the same name are added up. */
export async function timed<T>(
  { answer }: Pick<RequestContext, 'answer'>,
  part: TimedPart,
  work: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    addTiming((answer.timings ??= {}), part, performance.now() - begun);
  }
}

/** Adds milliseconds to a part, to a tenth of one. */
export function addTiming(timings: Record<string, number>, part: string, milliseconds: number): void {
  timings[part] = Math.round(((timings[part] ?? 0) + milliseconds) * 10) / 10;
}
