import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the path of a program on PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    if (directory === '') continue;
    const path = join(directory, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this directory
    }
  }
  return undefined;
}

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  uid?: number;
  gid?: number;
  timeoutMs?: number;
  /** File descriptors that the program inherits as 3, 4, ... */
  inherit?: readonly number[];
}

/** Runs a program to its end and returns what it printed. Rejects with its error output when it fails. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { inherit = [], timeoutMs, env = process.env, ...identity } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...identity,
      env,
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
      stdio: ['ignore', 'pipe', 'pipe', ...inherit],
    });
    const output: Buffer[] = [];
    let errors = '';
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4_000);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else reject(new ProgramFailed(command, code, signal, errors.trim()));
    });
  });
}

export class ProgramFailed extends Error {
  readonly exitCode: number | null;

  constructor(command: string, exitCode: number | null, signal: string | null, errors: string) {
    super(
      `${command} ${signal ? `was ended by ${signal}` : `failed with ${exitCode}`}${errors ? `: ${errors}` : ''}`,
    );
    this.exitCode = exitCode;
  }
}
