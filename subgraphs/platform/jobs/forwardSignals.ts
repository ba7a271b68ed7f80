import type { Platform } from '../context/Platform.ts';
import { type Job, subgraphOf } from './Job.ts';
import { signalHolder } from './lease.ts';

/** Signals of this period are forwarded together. */
const collectMs = 50;

/**
 * Forwards the signals of this process to the process that runs the jobs, until the returned function is called.
 *
 * @param isHeldHere whether this process runs the jobs, which have already received the signals
 */
export function forwardSignals(
  jobs: readonly Pick<Job, 'name' | 'signals' | 'isSignaledEverywhere'>[],
  { signals, log }: Pick<Platform, 'signals' | 'log'>,
  isHeldHere: (subgraph: string) => boolean = () => false,
): () => void {
  const names = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const forward = async (): Promise<void> => {
    timer = undefined;
    const bySubgraph = Map.groupBy(names, subgraphOf);
    names.clear();
    for (const [subgraph, signaled] of bySubgraph) {
      if (isHeldHere(subgraph)) continue;
      // The job finds its work by itself after its pause.
      await signalHolder(subgraph, signaled).catch((error: unknown) =>
        log.info({ err: error, jobs: signaled }, 'signals not forwarded'),
      );
    }
  };
  const stops = jobs.flatMap(({ name, signals: further = [], isSignaledEverywhere }) =>
    [name, ...(isSignaledEverywhere ? [] : further)].map((signal) =>
      signals.listen(signal, () => {
        names.add(name);
        timer ??= setTimeout(() => void forward(), collectMs).unref();
      }),
    ),
  );
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
