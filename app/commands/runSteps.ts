import { spawnSync } from 'node:child_process';

/** A command with its arguments. */
export type Step = readonly [program: string, ...args: string[]];

/**
 * Runs commands one after another until one fails; its exit code becomes that of this process. They are looked up on
 * the path of `npm run`.
 */
export function runSteps(steps: readonly Step[], environment: Readonly<Record<string, string>> = {}): void {
  for (const [program, ...args] of steps) {
    const { status, error } = spawnSync(program, args, {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    if (error) console.error(`${program} cannot be run (${error.message}). Start this script with npm run.`);
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
}
