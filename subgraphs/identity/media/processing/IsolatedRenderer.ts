import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RenderTask } from './renderImage.ts';
import type { RenderReply } from './renderProcess.ts';

/** Concurrency and timeouts of a renderer. */
export interface RendererOptions {
  /** Number of processes; each processes one file at a time. */
  processes: number;
  /** Maximum time for one file. After it, the process is killed. */
  timeoutMs?: number;
  /** Idle time after which a process ends. */
  idleMs?: number;
}

interface Worker {
  child: ChildProcess;
  idle?: NodeJS.Timeout;
}

/** The entry has the extension of this module: `.ts` in development, `.js` in a build. */
const entry = fileURLToPath(new URL(`./renderProcess${import.meta.url.slice(-3)}`, import.meta.url));

/**
 * Processes files in child processes of a low priority, see `renderProcess.ts`. If a file crashes its process,
 * only the work on that file fails, and the next file gets a new process.
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
   * Renders a file in a child process.
   *
   * @param signal ends the process that renders it
   * @throws Error if the file, the timeout or the signal ended the process
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

  /** Returns process ids, for tests that end them. */
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

/** Starts a process without the product's environment, because decoders need none of its secrets. */
function start(): ChildProcess {
  const child = fork(entry, [], {
    // Otherwise each thread keeps its own heap, and freed memory is not returned.
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

/**
 * Lowers the priority before the process starts threads, because each thread inherits the current priority. It still gets
 * about a tenth of a processor on a busy machine. With the lowest priority it would get one hundredth, and photos would
 * exceed the timeout.
 */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, or a sandbox forbids priorities. Neither affects the file.
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
    // Keeps this process alive until the child answers or ends.
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
