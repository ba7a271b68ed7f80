import type { Platform } from '../context/Platform.ts';

/** What a run of a job works with. */
export interface JobRun {
  readonly platform: Platform;
  /** Names by which it was woken; undefined where it shall look at everything, as in its first run and after a rest. */
  readonly wokenBy?: ReadonlySet<string> | undefined;
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
 * Work that no request does. In every process of the owning subgraph, but only where the lease is held. A run may be
 * cut short at any point and is then repeated, so each step is conditional on what is stored.
 */
export interface Job {
  /** Unique, with the subgraph in front: `identity.mails`. */
  readonly name: string;
  /**
   * Milliseconds from the end of a run to the next one. Whoever makes work wakes its job, in whatever process that is,
   * so half a minute does for what a killed process could not say any more.
   */
  readonly everyMs: number;
  /**
   * Milliseconds for which a process that vanished keeps others out: a minute, unless somebody waits for what it left
   * open. The lease is renewed three times as often.
   */
  readonly leaseMs?: number;
  /** Names besides its own by which `wakeJob` wakes it, where several jobs wait for the same thing. */
  readonly wokenBy?: readonly string[];
  /** Where every process learns of these names by itself, so that nobody needs to ring the holder's bell. */
  readonly isWokenEverywhere?: boolean;
  /** Does everything that is due now, for every installation. */
  run(run: JobRun): Promise<void>;
}
