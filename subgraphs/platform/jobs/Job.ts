import type { Platform } from '../context/Platform.ts';

/** What a run of a job works with. */
export interface JobRun {
  readonly platform: Platform;
  /** Grows with every holder of the lease: a write that carries it loses against a later holder's. */
  readonly fence: number;
  /** Aborted when the process ends or the lease is lost. */
  readonly signal: AbortSignal;
  /**
   * Call it between steps of long work: it renews the lease.
   *
   * @throws Error when another process holds the lease by now; the run must end without a further write
   */
  assertHeld(): Promise<void>;
}

/**
 * Work that no request does. In every process of the owning subgraph, but only where the lease is held. A run may be
 * cut short at any point and is then repeated, so each step is conditional on what is stored.
 */
export interface Job {
  /** Unique, with the subgraph in front: `identity.mails`. */
  readonly name: string;
  /** Milliseconds from the end of a run to the next one. */
  readonly everyMs: number;
  /** A name besides its own by which `wakeJob` wakes it, where several jobs wait for the same thing. */
  readonly wokenBy?: string;
  /** Does everything that is due now, for every installation. */
  run(run: JobRun): Promise<void>;
}
