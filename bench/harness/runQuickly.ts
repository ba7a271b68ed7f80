import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** A benchmark that has not ended after this long hangs: seconds are enough, and minutes on a machine that is very busy. */
const longestMs = 10 * 60_000;
const root = new URL('../../', import.meta.url);

/** File of each benchmark, by the name of its script: `bench` and all `bench:…` but the one that runs them. */
export async function benchesOf(packageJson: URL): Promise<Map<string, string>> {
  const { scripts } = JSON.parse(await readFile(packageJson, 'utf8')) as { scripts: Record<string, string> };
  return new Map(
    Object.entries(scripts)
      .filter(([name]) => /^bench(:|$)/.test(name) && name !== 'bench:quick')
      .map(([name, command]) => [name, command.replace(/^node /, '')]),
  );
}

/**
 * Runs benchmarks one after the other with `--quick` and prints a line for each; of one that fails, all that it printed.
 *
 * @returns the names of those that failed, took too long, or did not end by counting their results
 */
export async function runQuickly(
  benches: Iterable<readonly [name: string, file: string]>,
  environment: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, file] of benches) {
    const begun = performance.now();
    const { code, printed } = await run(file, environment);
    const results = /^(\d+) results? in \d+ s$/m.exec(printed.trimEnd().split('\n').at(-1) ?? '')?.[1];
    const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
    if (code === 0 && Number(results) > 0) console.log(`${seconds} s  ${name}: ${results} results`);
    else {
      failed.push(name);
      const reason = code === 0 ? 'printed no result' : `ended with ${code ?? 'a signal'}`;
      console.log(`${seconds} s  ${name}: FAILED, it ${reason}\n${printed}`);
    }
  }
  return failed;
}

function run(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ code: number | null; printed: string }> {
  return new Promise((ended, failed) => {
    const child = spawn(process.execPath, [file, '--quick'], {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // It ends its own programs after SIGTERM, which the next signal would cut short.
    const forced = setTimeout(() => child.kill('SIGTERM'), longestMs);
    let out = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-4000);
    });
    child.once('error', failed);
    child.once('close', (code) => {
      clearTimeout(forced);
      ended({ code, printed: code === 0 ? out : out + errors });
    });
  });
}
