import { parseArgs } from 'node:util';
import type { Marketplace } from './openMarketplace.ts';
import type { StartProgram } from './programs.ts';

/** One setting of a benchmark. */
export interface Setting<T extends number | string> {
  readonly usual: T;
  /** Value in a quick run, which only shows that the benchmark works. */
  readonly quick: T;
  readonly means: string;
}

type Settings = Readonly<Record<string, Setting<number> | Setting<string>>>;

/** The value of each setting in one run. */
export type Values<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<number> ? number : string;
};

/** Tools of a benchmark. Every program ends with the benchmark. */
export interface Tools {
  readonly start: StartProgram;
  /** `DATA_DIR` of all programs. It is deleted with the run, unless the setting `folder` names it. */
  readonly dataDir: string;
  /**
   * Starts the database and the product with the demonstration's data. Several benchmarks of a run share one.
   *
   * @param own further environment variables of the product; ignored for a shared one
   */
  openMarketplace(own?: Readonly<Record<string, string>>): Promise<Marketplace>;
}

/** A benchmark: what it measures, its settings, and the measurement. */
export interface Benchmark<S extends Settings = Settings> {
  readonly measures: string;
  readonly settings: S;
  measure(values: Values<S>, tools: Tools): Promise<void>;
}

/** Declares the benchmark of a file in `bench/`; `bench/run.ts` runs it. */
export function benchmark<const S extends Settings>(declared: Benchmark<S>): Benchmark<S> {
  return declared;
}

/** Options of a command line. */
export interface Options {
  readonly isQuick: boolean;
  readonly wantsHelp: boolean;
  /** Explicitly stated settings. */
  readonly stated: Readonly<Record<string, string>>;
}

/**
 * Reads `--quick`, `--help`, and `--<setting> <value>`.
 *
 * @throws if an option does not exist
 */
export function readOptions(args: readonly string[], settings: Settings): Options {
  const options = Object.fromEntries(
    Object.keys(settings).map((name) => [name, { type: 'string' as const }]),
  );
  const { values } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean' }, quick: { type: 'boolean' } },
  });
  const { help = false, quick = false, ...stated } = values;
  return { isQuick: quick, wantsHelp: help, stated };
}

/**
 * Returns the values of a run: those of the command line, otherwise the quick or the usual ones.
 *
 * @throws if a numeric setting is not a number
 */
export function valuesOf<S extends Settings>(
  settings: S,
  { isQuick, stated }: Pick<Options, 'isQuick' | 'stated'>,
): Values<S> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, { usual, quick }]) => {
      const text = stated[name];
      if (text === undefined) return [name, isQuick ? quick : usual];
      if (typeof usual === 'string') return [name, text];
      const number = Number(text);
      if (text.trim() === '' || !(number >= 0))
        throw new Error(`--${name} takes a number, as in --${name} ${usual}`);
      return [name, number];
    }),
  ) as Values<S>;
}

/** Returns the text of `--help`. */
export function helpOf(name: string, { measures, settings }: Benchmark): string {
  const rows = Object.entries(settings).map(([setting, { usual, quick, means }]) => [
    `--${setting} ${usual}`,
    `${means} (quick: ${quick})`,
  ]);
  rows.push(['--quick', 'run with small values, to see that it works'], ['--help', 'print this text']);
  const width = Math.max(...rows.map(([option = '']) => option.length));
  const lines = rows.map(([option = '', meaning]) => `  ${option.padEnd(width)}  ${meaning}`);
  return [`npm run ${scriptOf(name)} [-- options]`, '', measures, '', ...lines].join('\n');
}

/** Returns its script in `package.json`. */
export function scriptOf(name: string): string {
  return name === 'request' ? 'bench' : `bench:${name}`;
}
