import { parseArgs } from 'node:util';
import { countResults } from './report.ts';
import { type StartProgram, withPrograms } from './withPrograms.ts';

/** One setting of a benchmark. */
export interface Setting<T extends number | string> {
  readonly usual: T;
  /** Its value in a run that only shows that the benchmark works. */
  readonly quick: T;
  readonly means: string;
}

type Settings = Readonly<Record<string, Setting<number> | Setting<string>>>;

/** The value of each setting in this run. */
export type Values<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<number> ? number : string;
};

/** What a benchmark is called, what it measures, and what can be set. */
export interface About<S extends Settings> {
  /** Its script in `package.json`, as in `bench:search`. */
  readonly script: string;
  readonly measures: string;
  readonly settings: S;
}

/**
 * Runs a benchmark as a command: `--help` prints its settings, `--quick` runs it with the smallest values that touch
 * everything. Programs that it starts share a data directory and end with it. A run without a result fails.
 */
export async function bench<const S extends Settings>(
  about: About<S>,
  measure: (values: Values<S>, start: StartProgram) => Promise<void>,
): Promise<void> {
  const { script, measures, settings } = about;
  const values = readValues(about);
  if (values === null) return;
  const chosen = Object.keys(settings).map((name) => `${name} ${values[name]}`);
  console.log(`${script}: ${measures}\n${chosen.length > 0 ? `  with ${chosen.join(', ')}\n` : ''}`);
  const begun = performance.now();
  await withPrograms(script.replace(':', '-'), (start) => measure(values, start));
  const results = countResults();
  if (results === 0) throw new Error(`${script} printed no result.`);
  console.log(`\n${results} results in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
}

/** Null after `--help`. Ends the process for a command line that cannot be read. */
function readValues<S extends Settings>({ script, measures, settings }: About<S>): Values<S> | null {
  const type = 'string' as const;
  const options = Object.fromEntries(Object.keys(settings).map((name) => [name, { type }]));
  try {
    const { values: given } = parseArgs({
      options: { ...options, help: { type: 'boolean' }, quick: { type: 'boolean' } },
    });
    if (given.help === true) {
      console.log(helpOf({ script, measures, settings }));
      return null;
    }
    const texts = given as Readonly<Record<string, string | undefined>>;
    const values = Object.entries(settings).map(([name, setting]) => [
      name,
      readValue(name, texts[name], setting, given.quick === true),
    ]);
    return Object.fromEntries(values) as Values<S>;
  } catch (error) {
    console.error(`${(error as Error).message}\n--help lists the settings.`);
    process.exit(2);
  }
}

function readValue(
  name: string,
  text: string | undefined,
  { usual, quick }: Setting<number> | Setting<string>,
  isQuick: boolean,
): number | string {
  if (text === undefined) return isQuick ? quick : usual;
  if (typeof usual === 'string') return text;
  const number = Number(text);
  if (text.trim() === '' || !(number >= 0))
    throw new Error(`--${name} takes a number, as in --${name} ${usual}`);
  return number;
}

function helpOf({ script, measures, settings }: About<Settings>): string {
  const rows = Object.entries(settings).map(([name, { usual, quick, means }]) => [
    `--${name} ${usual}`,
    `${means} (quick: ${quick})`,
  ]);
  rows.push(['--quick', 'run with small values, to see that it works'], ['--help', 'print this text']);
  const width = Math.max(...rows.map(([option = '']) => option.length));
  const lines = rows.map(([option = '', meaning]) => `  ${option.padEnd(width)}  ${meaning}`);
  return [`npm run ${script} [-- options]`, '', measures, '', ...lines].join('\n');
}
