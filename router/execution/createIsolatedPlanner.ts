import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { QueryPlan } from '@graphql-hive/router-query-planner';
import type { PlannerReply, PlannerRequest } from './plannerProcess.ts';

export interface IsolatedPlannerOptions {
  readonly supergraphSdl: string;
  /** Longest planning of one operation; then its process is ended. Default 2,000. */
  readonly timeoutMs?: number | undefined;
  /** A process without work ends after this time. Default 60,000. */
  readonly idleMs?: number | undefined;
  /** Operations that wait for planning; more are refused. Default 200. */
  readonly maxWaiting?: number | undefined;
}

/** Plans operations that nobody vouches for. */
export interface IsolatedPlanner {
  /**
   * @throws Error with the planner's reason; also when planning took too long or ended the process. Only the
   * operation that caused it fails.
   */
  plan(text: string): Promise<QueryPlan>;
  /** @throws Error when the planner cannot work with the supergraph. */
  probe(): Promise<void>;
  close(): void;
}

interface Job {
  readonly request: PlannerRequest;
  readonly resolve: (reply: PlannerReply) => void;
  readonly reject: (error: Error) => void;
}

const entry = fileURLToPath(new URL(`./plannerProcess${import.meta.url.slice(-3)}`, import.meta.url));
/** Starting Node and reading the supergraph, on a machine that is busy. */
const startTimeoutMs = 15_000;

/**
 * Plans in a child process. The planner is native code: there are valid operations on which it panics, and a
 * panic ends the whole process; others keep it busy for very long. Neither may happen to the router. The process
 * starts with the first operation, handles one at a time, and is replaced when it ends.
 */
export function createIsolatedPlanner(options: IsolatedPlannerOptions): IsolatedPlanner {
  const { supergraphSdl, timeoutMs = 2000, idleMs = 60_000, maxWaiting = 200 } = options;
  const waiting: Job[] = [];
  let child: ChildProcess | null = null;
  let current: Job | null = null;
  let timer: NodeJS.Timeout | undefined;

  const start = (): ChildProcess => {
    // No environment: the planner needs none of the router's secrets.
    const started = fork(entry, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started.unref();
    started.channel?.unref();
    started.on('message', (reply: PlannerReply) => child === started && settle(reply));
    const gone = () => child === started && lose('The operation could not be planned.');
    started.on('exit', gone);
    started.on('error', gone);
    return started;
  };

  const stop = (): void => {
    clearTimeout(timer);
    const ending = child;
    child = null;
    ending?.removeAllListeners();
    ending?.on('error', () => undefined);
    ending?.kill('SIGKILL');
  };

  /** The process is gone: the operation that it had is refused, the others go on in a new one. */
  const lose = (reason: string): void => {
    stop();
    const lost = current;
    current = null;
    lost?.reject(new Error(reason));
    next();
  };

  const dispatch = (job: Job, limitMs: number): void => {
    current = job;
    clearTimeout(timer);
    timer = setTimeout(() => lose('Planning the operation took too long.'), limitMs);
    child?.send(
      job.request,
      (error) => error !== null && current === job && lose('The planner is not running.'),
    );
  };

  const next = (): void => {
    if (current !== null) return;
    const job = waiting.shift();
    if (job === undefined) {
      clearTimeout(timer);
      timer = setTimeout(stop, idleMs).unref();
      return;
    }
    if (child !== null) {
      dispatch(job, timeoutMs);
      return;
    }
    child = start();
    waiting.unshift(job);
    dispatch({ request: { supergraphSdl }, resolve: () => undefined, reject: failWaiting }, startTimeoutMs);
  };

  const failWaiting = (error: Error): void => {
    for (const job of waiting.splice(0)) job.reject(error);
  };

  const settle = (reply: PlannerReply): void => {
    const done = current;
    current = null;
    if ('error' in reply) done?.reject(new Error(reply.error));
    else done?.resolve(reply);
    next();
  };

  const ask = (request: PlannerRequest): Promise<PlannerReply> => {
    if (waiting.length >= maxWaiting)
      return Promise.reject(new Error('Too many operations wait for planning.'));
    return new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      next();
    });
  };

  return {
    async plan(text) {
      const reply = await ask({ text });
      if (!('plan' in reply)) throw new Error('The planner gave no plan.');
      return reply.plan as QueryPlan;
    },
    async probe() {
      await ask({ probe: true });
    },
    close() {
      stop();
      current?.reject(new Error('The planner was closed.'));
      current = null;
      failWaiting(new Error('The planner was closed.'));
    },
  };
}

/**
 * Whether the planner can work with a supergraph, found out in a process of its own: of some broken ones the
 * planner dies. To be asked before an engine is built from a supergraph that was replaced while running.
 *
 * @throws Error with the reason.
 */
export async function probeSupergraph(supergraphSdl: string): Promise<void> {
  const planner = createIsolatedPlanner({ supergraphSdl });
  try {
    await planner.probe();
  } finally {
    planner.close();
  }
}
