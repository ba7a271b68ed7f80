import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { ConcurrencyLimit } from '../../platform/concurrency/ConcurrencyLimit.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import type { AnalysisOutcome, AnalysisTask } from './analyzeSafely.ts';

/** How much an analysis may take of this process. */
export interface AnalysisPoolOptions {
  /** Threads; one core stays with the event loop. */
  threads?: number;
  /** Longest run of one analysis, in milliseconds; its thread is ended then. */
  runLimitMs?: number;
  /** Longest wait for a free thread, in milliseconds. */
  waitLimitMs?: number;
  /** Most analyses that wait. */
  queueLimit?: number;
  /** How long a thread waits for another text before it is ended, in milliseconds. */
  idleMs?: number;
}

/** How much one analysis may take. */
export interface AnalysisLimits {
  /** Longest run in milliseconds; the pool's own unless given, which it cannot exceed. */
  runLimitMs?: number | undefined;
}

/** Threads that analyse large texts, so that the event loop never waits for one. */
export interface AnalysisPool {
  /** Analyses a page; throws as `call`. */
  run(task: AnalysisTask, limits?: AnalysisLimits): Promise<AnalysisOutcome>;
  /**
   * Runs a function that the worker exports.
   *
   * @param task its argument, as plain data
   * @throws AppError `seo_analysis_timeout` when a run exceeds its limit, `unavailable` when no thread becomes free
   *   in time
   */
  call<T>(name: string, task: object, limits?: AnalysisLimits): Promise<T>;
  close(): Promise<void>;
}

// In a build this file and the worker are JavaScript.
const workerUrl = import.meta.url.endsWith('.ts')
  ? new URL('./analysisWorker.ts', import.meta.url)
  : new URL('./analysisWorker.js', import.meta.url);

/**
 * Opens the threads. What waits is decided here and not by the library: it does not count tasks that can be aborted
 * towards its queue, and it cannot tell a task that ran too long from one that waited too long.
 */
export function openAnalysisPool({
  threads = Math.max(1, availableParallelism() - 1),
  runLimitMs = 5000,
  waitLimitMs = 2000,
  queueLimit = threads * 16,
  // A new thread costs its first text 250 ms, one that waits costs the process 70 MiB.
  idleMs = 120_000,
}: AnalysisPoolOptions = {}): AnalysisPool {
  const pool = new Piscina({
    filename: workerUrl.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  const limit = new ConcurrencyLimit({
    maxRunning: threads,
    maxQueued: queueLimit,
    maxQueueMs: waitLimitMs,
  });
  const runWithin = async <T>(name: string, task: object, limitMs: number): Promise<T> => {
    const ended = new AbortController();
    const timer = setTimeout(() => ended.abort(), limitMs);
    try {
      return (await pool.run(task, { name, signal: ended.signal })) as T;
    } catch (error) {
      throw ended.signal.aborted ? timedOut(limitMs) : error;
    } finally {
      clearTimeout(timer);
    }
  };
  const call = async <T>(name: string, task: object, limits?: AnalysisLimits): Promise<T> =>
    limit.run(
      () => runWithin<T>(name, task, Math.min(limits?.runLimitMs ?? runLimitMs, runLimitMs)),
      refuseOverload,
    );
  return {
    call,
    run: (task, limits) => call('analyzeSafely', task, limits),
    close: () => pool.close({ force: true }),
  };
}

function timedOut(runLimitMs: number): AppError {
  return new AppError(
    'seo_analysis_timeout',
    `The analysis took longer than ${runLimitMs / 1000} seconds: send less or simpler content.`,
  );
}

function refuseOverload(): never {
  throw new AppError('unavailable', 'Too many analyses are running; try again shortly.', { retryAfter: 1 });
}
