import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync } from 'node:fs';

/**
 * Starts the program and, beside it, a reader of a pipe whose other end only this process holds. However this process
 * ends, SIGKILL included, the pipe closes, the reader sees the end of it and asks the program to shut down; the
 * kernel does the part that no exit handler can do. A reader that is still there when the program ends is stopped,
 * because the number of the program may soon be another one's.
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
 * After that the program is killed; nothing is lost, because the next start recovers from the journal. PostgreSQL
 * needs this when it is stopped while it still recovers from the loss of a process: it then waits for ever.
 */
const stopLimitMs = 10_000;

export interface TetheredOptions {
  env: NodeJS.ProcessEnv;
  uid?: number | undefined;
  gid?: number | undefined;
  /** Put in front of the command line, such as a program that changes identity. */
  prefix?: readonly string[];
  /** A file descriptor that the program keeps open for as long as it runs; it holds the lock of the data. */
  lock?: number | undefined;
  /** A directory that is removed when the program ends after this process. */
  removes?: string | undefined;
  /** Where the program's output goes. A file, not a pipe: the program goes on writing after we are gone. */
  logFile: string;
}

export interface Tethered {
  readonly child: ChildProcess;
  readonly hasExited: boolean;
  /** Resolves when the program has ended. */
  readonly exited: Promise<void>;
  /** What the program printed last. */
  lastOutput(): string;
  /** Asks for an orderly shutdown and waits for it. */
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
    // A process group of its own: Ctrl-C in a terminal goes to a group, and the server is to be stopped by us, in order.
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

/** One log per run, and the one before: enough to look into the last accident, and it cannot fill the disk. */
function openLog(logFile: string): number {
  try {
    renameSync(logFile, `${logFile}.previous`);
  } catch {
    // the first run
  }
  return openSync(logFile, 'a');
}
