import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync } from 'node:fs';

/**
 * Starts the program and a reader of a pipe whose other end only this process holds. When this process ends, even by
 * SIGKILL, the kernel closes the pipe, and the reader shuts the program down, which no exit handler could guarantee.
 * The reader is stopped when the program ends, because its process id may be reused.
 */
const tether = `
exec 3<&0
"$0" "$@" </dev/null 3<&- &
program=$!
(cat <&3 >/dev/null 2>&1; kill -INT "$program" 2>/dev/null) &
reader=$!
exec 3<&-
wait "$program"
status=$?
kill "$reader" 2>/dev/null || rm -rf "$TETHER_REMOVES"
exit "$status"`;

/**
 * Time after which the program is killed. Nothing is lost, because the next start recovers from the journal. PostgreSQL
 * needs this if it is stopped during the recovery from a lost process, because it then waits forever.
 */
const stopLimitMs = 10_000;

export interface TetheredOptions {
  env: NodeJS.ProcessEnv;
  uid?: number | undefined;
  gid?: number | undefined;
  /** Put in front of the command line, such as a program that changes identity. */
  prefix?: readonly string[];
  /** File descriptor that the program keeps open while it runs; it holds the lock of the data. */
  lock?: number | undefined;
  /** A directory that is removed when the program ends after this process. */
  removes?: string | undefined;
  /**
   * File for the program's output. A file instead of a pipe, because the program continues to write after this process
   * has ended.
   */
  logFile: string;
}

export interface Tethered {
  readonly child: ChildProcess;
  readonly hasExited: boolean;
  /** Resolves when the program has ended. */
  readonly exited: Promise<void>;
  /** Returns the last output of the program. */
  lastOutput(): string;
  /** Requests an orderly shutdown and waits for it. */
  stop(): Promise<void>;
}

/** Runs a server that must not outlive this process. SIGINT is its signal for an orderly shutdown. */
export function spawnTethered(command: string, args: readonly string[], options: TetheredOptions): Tethered {
  const { prefix = [], lock = 'ignore', logFile, removes = '', uid, gid } = options;
  const env = { ...options.env, TETHER_REMOVES: removes };
  const [program = command, ...rest] = [...prefix, '/bin/sh', '-c', tether, command, ...args];
  const log = openLog(logFile);
  const child = spawn(program, rest, {
    env,
    ...(uid === undefined ? {} : { uid }),
    ...(gid === undefined ? {} : { gid }),
    // A separate process group: Ctrl-C in a terminal is sent to a group, but this process stops the server in order.
    detached: true,
    stdio: ['pipe', log, log, 'ignore', lock],
  });
  closeSync(log);
  child.stdin?.on('error', () => {}); // the reader is gone, and so is the program

  let hasExited = false;
  let spawnFailure = '';
  const exited = new Promise<void>((resolve) => {
    const finish = () => {
      hasExited = true;
      child.stdin?.end();
      resolve();
    };
    child.once('exit', finish);
    child.once('error', (error) => {
      spawnFailure = error.message;
      finish();
    });
  });
  return {
    child,
    exited,
    get hasExited() {
      return hasExited;
    },
    lastOutput: () => spawnFailure || readFileSync(logFile, 'utf8').slice(-2_000).trim(),
    async stop() {
      if (hasExited) return;
      child.stdin?.end();
      const limit = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGQUIT'), stopLimitMs);
      await exited;
      clearTimeout(limit);
    },
  };
}

/**
 * Opens the log of this run, and keeps the previous one. Two logs suffice to analyze the last failure, and cannot fill
 * the disk.
 */
function openLog(logFile: string): number {
  try {
    renameSync(logFile, `${logFile}.previous`);
  } catch {
    // the first run
  }
  return openSync(logFile, 'a');
}
