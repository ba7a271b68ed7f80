import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A running engine. */
export interface RunningEngine {
  readonly pid: number;
  /** Address of its GraphQL endpoint. */
  readonly url: string;
  /** Everything it has printed. */
  printed(): string;
  /** Stops it and returns its exit code, or null if it had to be killed. */
  stop(): Promise<number | null>;
  /** Ends it with SIGKILL. */
  kill(): Promise<void>;
}

/** Options of the start of a program. */
interface BinaryOptions {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
}

/** Time within which an engine must answer its first operation on a busy machine. */
const startLimitMs = 90_000;
const stopLimitMs = 15_000;

/**
 * Starts the program of an engine and waits until it answers `{ __typename }`, which needs no subgraph.
 *
 * @throws Error with everything it printed, if it ends or does not answer
 */
export async function startBinary(
  program: string,
  { args, environment, url }: BinaryOptions,
): Promise<RunningEngine> {
  let text = '';
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((done, failed) => child.once('exit', done).once('error', failed));
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-50_000);
    });
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const engine: RunningEngine = {
    pid: child.pid ?? 0,
    url,
    printed: () => text,
    async stop() {
      if (isOver()) return child.exitCode;
      child.kill('SIGTERM');
      const forced = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      const code = await ended;
      clearTimeout(forced);
      return code;
    },
    async kill() {
      if (child.kill('SIGKILL')) await ended;
    },
  };
  const begun = performance.now();
  while (!(await answers(url))) {
    if (isOver() || performance.now() - begun > startLimitMs) {
      await engine.kill();
      throw new Error(`${program} ${isOver() ? 'ended' : 'does not answer'}:\n${text}`);
    }
    await pause(100);
  }
  return engine;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    return response.status === 200 && (await response.text()).includes('"Query"');
  } catch {
    return false;
  }
}

/** Returns a port of the loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
