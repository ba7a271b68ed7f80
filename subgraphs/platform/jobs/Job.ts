import type { Platform } from '../context/Platform.ts';

/** What a run of a job works with. */
export interface JobRun {
  readonly platform: Platform;
  /** Signals that started the run; undefined if the run checks everything, as in the first run and after a pause. */
  readonly signaledBy?: ReadonlySet<string> | undefined;
  /** Grows with every holder of the lease: a write that carries it loses against a later holder's. */
  readonly fence: number;
  /** Aborted when the process ends or the lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Call it between steps of long work: it renews the lease, unless that was done a moment ago.
   *
   * @throws Error when another process holds the lease by now; the run must end without a further write
   */
  assertHeld(): Promise<void>;
}

/**
 * Work that no request does. Of all processes of a subgraph the one that holds the subgraph's lease runs its jobs. A run
 * may be cut short at any point and is then repeated, so each step is conditional on what is stored.
 */
export interface Job {
  /** Unique, with the subgraph in front: `identity.mails`. */
  readonly name: string;
  /**
   * Milliseconds from the end of a run to the next one. A request that creates work sends a signal with the job's name
   * from any process, so half a minute suffices for signals that a killed process could not send.
   */
  readonly everyMs: number;
  /** Signals besides its name that start it, where several jobs wait for the same thing. */
  readonly signals?: readonly string[];
  /** Whether every process sends these signals itself, so that none is forwarded to the holder of the lease. */
  readonly isSignaledEverywhere?: boolean;
  /** Does everything that is due now, for every installation. */
  run(run: JobRun): Promise<void>;
}

/** The subgraph that a job belongs to, by its name. */
export function subgraphOf(job: string): string {
  return job.split('.', 1)[0] ?? job;
}
