import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { ConcurrencyLimit } from '../../../platform/concurrency/ConcurrencyLimit.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type * as engineWorker from './engineWorker.ts';
import type { Outcome } from './engineWorker.ts';

/** Resource limits of the engine in this process. */
export interface EngineLimits {
  /** Threads; one core stays with the event loop. */
  threads?: number;
  /** Maximum duration of one task in milliseconds; its thread is then terminated. */
  runLimitMs?: number;
  /** Maximum queueing delay in milliseconds. */
  waitLimitMs?: number;
  /** Maximum length of the queue. */
  queueLimit?: number;
  /** Idle time in milliseconds after which a thread is terminated. */
  idleMs?: number;
}

type Functions = typeof engineWorker;
type ResultOf<Name extends keyof Functions> =
  ReturnType<Functions[Name]> extends Outcome<infer Result> ? Result : never;

// In a build, this file and the worker are JavaScript.
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const workerUrl = new URL(`./engineWorker.${extension}`, import.meta.url);

/**
 * Worker threads that process large texts, so that the event loop is not blocked. They start with the first task and do
 * not keep the process alive. The queue is implemented here, not by the library. The library does not count abortable
 * tasks in its queue, and does not distinguish a slow task from one that waited too long.
 */
export class EngineThreads {
  readonly #pool: Piscina;
  readonly #limit: ConcurrencyLimit;
  readonly #runLimitMs: number;

  constructor({
    threads = Math.max(1, availableParallelism() - 1),
    runLimitMs = 5000,
    waitLimitMs = 2000,
    queueLimit = threads * 16,
    // Starting a thread delays the first text by 250 ms; an idle one costs 70 MiB.
    idleMs = 120_000,
  }: EngineLimits = {}) {
    this.#runLimitMs = runLimitMs;
    this.#pool = new Piscina({
      filename: workerUrl.href,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    this.#limit = new ConcurrencyLimit({
      maxRunning: threads,
      maxQueued: queueLimit,
      maxQueueMs: waitLimitMs,
    });
  }

  /**
   * Runs a function of the worker.
   *
   * @param task its argument, as plain data
   * @param runLimitMs a lower limit than that of the threads
   * @throws AppError `seo_analysis_timeout` when the run exceeds its limit, `unavailable` when no thread becomes free
   *   in time, `payload_too_large` as `resultOf`
   */
  async run<Name extends keyof Functions>(
    name: Name,
    task: Parameters<Functions[Name]>[0],
    runLimitMs = this.#runLimitMs,
  ): Promise<ResultOf<Name>> {
    const limitMs = Math.min(runLimitMs, this.#runLimitMs);
    return resultOf(
      await this.#limit.run(() => this.#runWithin<ResultOf<Name>>(name, task, limitMs), refuseOverload),
    );
  }

  /** Terminates the threads and their running tasks. */
  close(): Promise<void> {
    return this.#pool.close({ force: true });
  }

  async #runWithin<T>(name: string, task: object, limitMs: number): Promise<Outcome<T>> {
    const signal = AbortSignal.timeout(limitMs);
    try {
      return (await this.#pool.run(task, { name, signal })) as Outcome<T>;
    } catch (error) {
      throw signal.aborted ? timedOut(limitMs) : error;
    }
  }
}

let shared: EngineThreads | undefined;

/** Returns the threads of this process. */
export function engineThreads(): EngineThreads {
  shared ??= new EngineThreads();
  return shared;
}

/**
 * Returns the result of the engine.
 *
 * @throws AppError `payload_too_large` if the input exceeds a limit
 */
export function resultOf<T>(outcome: Outcome<T>): T {
  if ('result' in outcome) return outcome.result;
  const { subject, limit } = outcome.exceeded;
  const [member = 'content', counted = 'size'] = subject.split('.');
  throw new AppError('payload_too_large', `"${member}" exceeds the limit of ${limit} ${counted}.`);
}

function timedOut(limitMs: number): AppError {
  return new AppError(
    'seo_analysis_timeout',
    `The analysis took longer than ${limitMs / 1000} seconds. Send less or simpler content.`,
  );
}

function refuseOverload(): never {
  throw new AppError('unavailable', 'Too many analyses are running. Retry shortly.', { retryAfter: 1 });
}
