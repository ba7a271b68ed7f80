import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A server of the project in a separate process. */
export interface Program {
  name: string;
  pid: number;
  url: string;
  /** CPU seconds that the process has used, user and system. */
  cpuSeconds(): number;
  /** Stops the process, waits for its end and returns its exit code. */
  stop(): Promise<number | null>;
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>;
  /** Text after `ready` in its last line. */
  ready: string;
  /** All output until that line. */
  printed: string;
  /** Milliseconds from its start to that line. */
  startMs: number;
}

/** Grace period of a deployment with `DRAIN_SECONDS=2`. */
const longestStopMs = 17_000;
/** Options that `npm start` passes to Node. */
const flags = ['--max-semi-space-size=8', '--import', './bin/compileCache.js'];

const root = path.join(import.meta.dirname, '../../..');

/**
 * Starts a program of the project and waits for its `ready <what>` line.
 *
 * @param script path from the project's root
 * @returns the process, with the text after `ready`
 */
export async function startProgram(
  name: string,
  script: string,
  environment: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Program> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...flags, path.join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { ready, printed } = await readyLine(child, name);
  return {
    name,
    pid: child.pid ?? 0,
    ready,
    printed,
    url: ready,
    startMs: performance.now() - begun,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    stop: () => stop(child),
    kill: () => kill(child),
  };
}

function readyLine(child: ChildProcess, name: string): Promise<{ ready: string; printed: string }> {
  return new Promise((found, failed) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-20_000);
      const ready = /^ready (\S+)/m.exec(text)?.[1];
      if (ready) found({ ready, printed: text });
    });
    child.once('exit', (code) =>
      failed(new Error(`${name} ended with ${code} before it was ready:\n${text}`)),
    );
  });
}

/** Clock ticks of Linux are hundredths of a second on every architecture that Node runs on. */
const ticksPerSecond = 100;

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), longestStopMs);
  const code = await ended;
  clearTimeout(forced);
  return code;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = new Promise((done) => child.once('exit', done));
  if (child.kill('SIGKILL')) await ended;
}
