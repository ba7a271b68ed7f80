import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { QueryPlan } from '@graphql-hive/router-query-planner';
import { GraphQLError } from 'graphql';
import { type Planner, PlannerUnavailable } from './Planner.ts';
import type { PlannerReply, PlannerRequest } from './plannerProcess.ts';

export interface IsolatedPlannerOptions {
  readonly supergraphSdl: string;
  /** Maximum duration of planning one operation in milliseconds; its process is then killed. 2,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** A process without work ends after this time. Default 60,000. */
  readonly idleMs?: number | undefined;
  /** Operations that wait for planning; more are refused. Default 200. */
  readonly maxWaiting?: number | undefined;
  /** Maximum queueing delay in milliseconds; 5,000 by default. */
  readonly maxWaitMs?: number | undefined;
}

interface Job {
  /** On the clock of `performance.now()`. */
  readonly askedAt: number;
  readonly request: PlannerRequest;
  readonly limitMs: number;
  readonly resolve: (reply: PlannerReply) => void;
  readonly reject: (error: Error) => void;
}

/** More operations wait for planning than can be planned in time. */
class Overloaded extends GraphQLError {
  constructor() {
    super('Too many operations are queued for planning. Retry shortly.', {
      extensions: { code: 'OVERLOADED' },
    });
  }
}

/** The entry has the extension of this module: `.ts` in development, `.js` in a build. */
const entry = fileURLToPath(new URL(`./plannerProcess${import.meta.url.slice(-3)}`, import.meta.url));
/** Starting Node and reading the supergraph, on a machine that is busy. */
const startLimitMs = 15_000;

/**
 * Plans operations in a child process. The planner is native code. It panics on some valid operations and broken
 * supergraphs, which ends its process, and takes very long for others. Neither may affect the router. The process
 * starts with the first operation, handles one at a time, and is replaced when it ends.
 *
 * See `docs/adr/router/0001-execute-plans-ourselves-plan-in-a-child-process.md`.
 */
export class IsolatedPlanner implements Planner {
  readonly #options: Required<{
    [Key in keyof IsolatedPlannerOptions]: NonNullable<IsolatedPlannerOptions[Key]>;
  }>;
  readonly #waiting: Job[] = [];
  #child: ChildProcess | null = null;
  #current: Job | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    supergraphSdl,
    timeoutMs = 2000,
    idleMs = 60_000,
    maxWaiting = 200,
    maxWaitMs = 5000,
  }: IsolatedPlannerOptions) {
    this.#options = { supergraphSdl, timeoutMs, idleMs, maxWaiting, maxWaitMs };
  }

  /**
   * Plans one operation.
   *
   * @throws Error with the planner's reason, also if planning took too long or crashed the process, in which case
   *   only this operation fails; `Overloaded` if the queue is too long
   */
  async plan(text: string): Promise<QueryPlan> {
    const reply = await this.#ask({ text });
    if (!('plan' in reply)) throw new Error('The planner returned no plan.');
    return reply.plan as QueryPlan;
  }

  close(): void {
    this.#stop();
    const closed = new Error('The planner was closed.');
    this.#current?.reject(closed);
    this.#current = null;
    this.#rejectWaiting(closed);
  }

  #ask(request: PlannerRequest): Promise<PlannerReply> {
    const { maxWaiting, timeoutMs } = this.#options;
    if (this.#waiting.length >= maxWaiting) {
      return Promise.reject(new Overloaded());
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ askedAt: performance.now(), request, limitMs: timeoutMs, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#current !== null) return;
    this.#refuseLate();
    if (this.#waiting.length === 0) {
      this.#wait(() => this.#stop(), this.#options.idleMs).unref();
      return;
    }
    if (this.#child !== null) {
      this.#dispatch(this.#child, this.#waiting.shift() as Job);
      return;
    }
    this.#child = this.#start();
    this.#dispatch(this.#child, {
      askedAt: performance.now(),
      request: { supergraphSdl: this.#options.supergraphSdl },
      limitMs: startLimitMs,
      resolve: () => undefined,
      reject: (error) => this.#rejectWaiting(error),
    });
  }

  /** Refuses requests that have waited too long and must be answered now. */
  #refuseLate(): void {
    const before = performance.now() - this.#options.maxWaitMs;
    while (this.#waiting[0] !== undefined && this.#waiting[0].askedAt < before)
      this.#waiting.shift()?.reject(new Overloaded());
  }

  #start(): ChildProcess {
    // No environment, because the planner needs none of the router's secrets.
    const child = fork(entry, [], { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    child.unref();
    child.channel?.unref();
    child.on('message', (reply: PlannerReply) => this.#settle(reply));
    child.on('exit', () => this.#lose('The operation could not be planned.'));
    child.on('error', () => this.#lose('The planner cannot be started.'));
    return child;
  }

  #dispatch(child: ChildProcess, job: Job): void {
    this.#current = job;
    this.#wait(() => this.#lose('Planning the operation took too long.'), job.limitMs);
    child.send(job.request, (error) => {
      if (error !== null && this.#current === job) this.#lose('The planner is not running.');
    });
  }

  #settle(reply: PlannerReply): void {
    const done = this.#current;
    this.#current = null;
    if ('missing' in reply) done?.reject(new PlannerUnavailable());
    else if ('error' in reply) done?.reject(new Error(reply.error));
    else done?.resolve(reply);
    this.#next();
  }

  /** Handles the end of the process: its operation is refused, and the others continue in a new one. */
  #lose(reason: string): void {
    this.#stop();
    const lost = this.#current;
    this.#current = null;
    lost?.reject(new Error(reason));
    this.#next();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#child = null;
    child?.removeAllListeners();
    child?.on('error', () => undefined);
    child?.kill('SIGKILL');
  }

  #wait(then: () => void, delayMs: number): NodeJS.Timeout {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, delayMs);
    return this.#timer;
  }

  #rejectWaiting(error: Error): void {
    for (const job of this.#waiting.splice(0)) job.reject(error);
  }
}
