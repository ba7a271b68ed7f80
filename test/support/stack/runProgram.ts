import { spawn } from 'node:child_process';
import path from 'node:path';

/** Result of a program of the project. */
export interface ProgramResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

const root = path.join(import.meta.dirname, '../../..');

/**
 * Runs a program of the project to its end, in a separate process.
 *
 * @param script path from the project's root
 */
export function runProgram(
  script: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  });
  const result: ProgramResult = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text;
  });
  child.stdin.end(input);
  return new Promise((done) => child.once('close', (code) => done({ ...result, code })));
}
