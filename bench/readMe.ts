import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'undici';
import { percentile } from './catalogue/times.ts';

/** A reader asks again this long after his last answer: he is measured, not the queue that he would make. */
const thinkMs = 4;

/** Times of `GET /api/v1/me` in milliseconds, asked one after the other. */
export async function readMe(readers: Pool, authorization: string, forMs: number): Promise<number[]> {
  const times: number[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    const begun = performance.now();
    const { statusCode, body } = await readers.request({
      method: 'GET',
      path: '/api/v1/me',
      headers: { authorization },
    });
    await body.dump();
    times.push(performance.now() - begun);
    if (statusCode !== 200) throw new Error(`/me answered ${statusCode}`);
    await pause(thinkMs);
  }
  return times;
}

/** Median and 99th percentile of times in milliseconds. */
export function describeMedian(times: readonly number[]): string {
  const [median, high] = [0.5, 0.99].map((part) => percentile(times, part).toFixed(1));
  return `median ${median} ms, p99 ${high} ms of ${times.length}`;
}
