import { readdir } from 'node:fs/promises';
import { type Benchmark, helpOf, readOptions, scriptOf, valuesOf } from './harness/benchmark.ts';
import { runBenchmarks } from './harness/runBenchmarks.ts';

/**
 * `node bench/run.ts <name> [--quick] [--<setting> <value>]` runs the benchmark of `bench/<name>.ts`; its scripts in
 * `package.json` are `bench` and `bench:<name>`. `npm run bench:quick [-- search events]` runs all or the named ones
 * with their quick values. The exit code is 1 if one fails.
 */

const files = (await readdir(import.meta.dirname)).filter((file) => /^\w+\.ts$/.test(file));
const known = files
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => name !== 'run')
  .sort();
try {
  const { names, options: args } = splitNames(process.argv.slice(2));
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  const benchmarks = new Map<string, Benchmark>();
  for (const name of names.length > 0 ? names : known) benchmarks.set(name, await load(name));
  const [only, ...others] = benchmarks.values();
  const options = readOptions(args, others.length === 0 ? (only?.settings ?? {}) : {});
  for (const { settings } of benchmarks.values()) valuesOf(settings, options);
  if (options.wantsHelp) for (const each of benchmarks) console.log(`${helpOf(...each)}\n`);
  else {
    const failed = await runBenchmarks(benchmarks, options);
    if (failed.length > 0) console.log(`\nfailed: ${failed.map(scriptOf).join(', ')}`);
    process.exitCode = failed.length > 0 ? 1 : 0;
  }
} catch (error) {
  console.error(`${(error as Error).message} --help lists the settings.`);
  process.exit(2);
}

/** Splits names from settings. Names precede the settings; `--quick` and `--help` may precede the names. */
function splitNames(args: readonly string[]): { names: string[]; options: string[] } {
  const isFlag = (arg: string) => arg === '--quick' || arg === '--help';
  const rest = args.filter((arg) => !isFlag(arg));
  const end = rest.findIndex((arg) => arg.startsWith('-'));
  const at = end < 0 ? rest.length : end;
  return { names: rest.slice(0, at), options: [...args.filter(isFlag), ...rest.slice(at)] };
}

async function load(name: string): Promise<Benchmark> {
  return ((await import(`./${name}.ts`)) as { default: Benchmark }).default;
}
