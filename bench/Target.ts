import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A server of its own process that is measured. */
export interface Target {
  name: string;
  url: string;
  /** CPU seconds that the process has used, user and system. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

const root = path.join(import.meta.dirname, '..');

/**
 * Starts a program of the project and waits for its `ready <what>` line.
 *
 * @param script path from the project's root
 * @returns the process, with what stood behind `ready`
 */
export async function startTarget(
  name: string,
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<Target & { ready: string; startMs: number }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [path.join(root, script)], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = await readyLine(child, name);
  return {
    name,
    ready,
    url: ready,
    startMs: performance.now() - begun,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    stop: () => stop(child),
  };
}

function readyLine(child: ChildProcess, name: string): Promise<string> {
  return new Promise((found, failed) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-20_000);
      const ready = /^ready (\S+)/m.exec(text)?.[1];
      if (ready) found(ready);
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const forced = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await ended;
  clearTimeout(forced);
}
