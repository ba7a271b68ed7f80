import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RenderTask } from './renderImage.ts';
import type { RenderReply } from './renderProcess.ts';

/** How much is worked on at once, and for how long. */
export interface RendererOptions {
  /** Processes, each of which works on one file at a time. */
  processes: number;
  /** Longest work on one file; then its process is ended. */
  timeoutMs?: number;
  /** A process without work ends after this time. */
  idleMs?: number;
}

interface Worker {
  child: ChildProcess;
  idle?: NodeJS.Timeout;
}

/** The entry has the extension of this module: `.ts` in development, `.js` in a build. */
const entry = fileURLToPath(new URL(`./renderProcess${import.meta.url.slice(-3)}`, import.meta.url));

/**
 * Works on files in child processes of the lowest priority, see `renderProcess.ts`. Whatever a file does to its process,
 * only the work on that file fails, and the next one gets a new process.
 */
export class IsolatedRenderer {
  readonly #options: Required<RendererOptions>;
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor({ processes, timeoutMs = 120_000, idleMs = 20_000 }: RendererOptions) {
    this.#options = { processes, timeoutMs, idleMs };
  }

  /**
   * @param signal ends the process that works on it
   * @throws Error when the process was ended by the file, by time or by the signal
   */
  async render(task: RenderTask, signal: AbortSignal): Promise<RenderReply> {
    if (this.#running >= this.#options.processes)
      await new Promise<void>((begin) => this.#waiting.push(begin));
    else this.#running += 1;
    try {
      signal.throwIfAborted();
      return await this.#work(task, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Process ids, for tests that end them. */
  get processIds(): number[] {
    return this.#idle.map(({ child }) => child.pid ?? 0);
  }

  close(): void {
    for (const worker of this.#idle.splice(0)) end(worker);
  }

  async #work(task: RenderTask, signal: AbortSignal): Promise<RenderReply> {
    const worker = this.#idle.pop() ?? this.#start();
    clearTimeout(worker.idle);
    try {
      const reply = await ask(
        worker.child,
        task,
        AbortSignal.any([signal, AbortSignal.timeout(this.#options.timeoutMs)]),
      );
      this.#rest(worker);
      return reply;
    } catch (error) {
      end(worker);
      throw error;
    }
  }

  #start(): Worker {
    const worker: Worker = { child: start() };
    worker.child.once('exit', () => this.#leave(worker));
    return worker;
  }

  #rest(worker: Worker): void {
    this.#idle.push(worker);
    worker.idle = setTimeout(() => this.#leave(worker), this.#options.idleMs).unref();
  }

  #leave(worker: Worker): void {
    const at = this.#idle.indexOf(worker);
    if (at >= 0) this.#idle.splice(at, 1);
    end(worker);
  }
}

/** No environment: decoders need none of the product's secrets. */
function start(): ChildProcess {
  const child = fork(entry, [], {
    // Without it every thread keeps its own heap, and freed memory is not returned.
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  child.on('error', () => undefined);
  lowerPriority(child);
  return child;
}

/** Before its threads begin: each inherits the priority of the moment. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is gone already, or a sandbox forbids priorities: that costs speed elsewhere, not the file.
  }
}

function ask(child: ChildProcess, task: RenderTask, signal: AbortSignal): Promise<RenderReply> {
  return new Promise((resolve, reject) => {
    const settle = (done: () => void): void => {
      child.off('message', onMessage).off('exit', onExit).off('error', onExit);
      signal.removeEventListener('abort', onAbort);
      child.channel?.unref();
      child.unref();
      done();
    };
    const onMessage = (reply: RenderReply): void => settle(() => resolve(reply));
    const onExit = (): void =>
      settle(() => reject(new Error('The process that processed the file has exited.')));
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    child.once('message', onMessage).once('exit', onExit).once('error', onExit);
    signal.addEventListener('abort', onAbort, { once: true });
    // A process that ends while a request waits must be awaited.
    child.ref();
    child.channel?.ref();
    child.send(task, (error) => {
      if (error !== null) onExit();
    });
  });
}

function end({ child, idle }: Worker): void {
  clearTimeout(idle);
  child.kill('SIGKILL');
}
