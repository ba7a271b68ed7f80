import type { Platform } from '../context/Platform.ts';

/** Context of a job's run. */
export interface JobRun {
  readonly platform: Platform;
  /** Signals that started the run; undefined if the run checks everything, as in the first run and after a pause. */
  readonly signaledBy?: ReadonlySet<string> | undefined;
  /** Grows with every holder of the lease: a write that carries it loses against a later holder's. */
  readonly fence: number;
  /** Aborted when the process ends or the lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Checks and renews the lease. Call it between steps of long work; a recent renewal is not repeated.
   *
   * @throws Error if another process holds the lease; the run must then end without a further write
   */
  assertHeld(): Promise<void>;
}

/**
 * Background work. Of all processes of a subgraph, the one that holds the subgraph's lease runs its jobs. A run may be
 * interrupted at any point and is then repeated, so each step is conditional on what is stored.
 */
export interface Job {
  /** Unique, with the subgraph in front: `identity.mails`. */
  readonly name: string;
  /**
   * Milliseconds from the end of a run to the next one. A request that creates work signals the job from any process,
   * so half a minute suffices for signals that a killed process could not send.
   */
  readonly everyMs: number;
  /** Signals besides its name that start it, if several jobs wait for the same event. */
  readonly signals?: readonly string[];
  /** Whether every process sends these signals itself, so that they are not forwarded to the holder of the lease. */
  readonly isSignaledEverywhere?: boolean;
  /** Whether the settings of the process need the job; yes by default. */
  isNeeded?(platform: Platform): boolean;
  /** Processes everything that is due, for every installation. */
  run(run: JobRun): Promise<void>;
}

/** Returns the name of the subgraph that a job belongs to. */
export function subgraphOf(job: string): string {
  return job.split('.', 1)[0] ?? job;
}
