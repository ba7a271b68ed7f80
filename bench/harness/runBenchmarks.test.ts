import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { product } from '../../test/support/product.ts';
import { type Benchmark, benchmark, helpOf, readOptions, scriptOf, valuesOf } from './benchmark.ts';
import { describeTimes, report } from './report.ts';
import { runBenchmarks } from './runBenchmarks.ts';
import { sendOk } from './send.ts';

const root = path.join(import.meta.dirname, '../..');
const { stack } = product();

const rounds = { usual: 15, quick: 1, means: 'rounds in turns' };
const sound = benchmark({
  measures: 'nothing much',
  settings: { rounds },
  measure: async (values) => report('rounds', String(values.rounds)),
});
const planted = (measure: () => Promise<void>) => benchmark({ measures: 'a fault', settings: {}, measure });

describe('a quick run of benchmarks', () => {
  let printed: string[];
  let log: typeof console.log;
  beforeEach(() => {
    printed = [];
    log = console.log;
    console.log = (line: string) => void printed.push(line);
  });
  afterEach(() => {
    console.log = log;
  });
  const run = (benchmarks: Record<string, unknown>) =>
    runBenchmarks(new Map(Object.entries(benchmarks as Record<string, Benchmark>)), {
      isQuick: true,
      stated: {},
    });

  test('a quick run passes a benchmark that prints a result, and prints how many passed', async () => {
    expect(await run({ sound })).toEqual([]);
    expect(printed).toContainEqual(expect.stringMatching(/rounds +1$/));
    expect(printed.at(-1)).toMatch(/^bench:sound: 1 results in [\d.]+ s$/);
  });

  test.each([
    ['prints no result', 'no result', async () => undefined],
    ['has a figure that is not a number', 'has no figure', async () => report('times', describeTimes([]))],
  ])('a quick run fails a benchmark that %s, prints why, and runs the next one', async (_, why, measure) => {
    expect(await run({ faulty: planted(measure), sound })).toEqual(['faulty']);
    expect(printed).toContainEqual(expect.stringMatching(new RegExp(`^bench:faulty FAILED: .*${why}`)));
    expect(printed.at(-1)).toMatch(/^bench:sound: 1 results/);
  });

  test('a quick run fails a benchmark whose requests are refused', async () => {
    const pool = new Pool(`http://127.0.0.1:${await stack.port()}`);
    const refused = planted(async () => void (await sendOk(pool, { method: 'GET', path: '/api/v1/me' })));
    expect(await run({ refused })).toEqual(['refused']);
    expect(printed).toContainEqual(expect.stringMatching(/GET \/api\/v1\/me answered 4/));
    await pool.close();
  });
});

describe('command line of a benchmark', () => {
  test('a stated setting of a benchmark overrides the quick value, which overrides the default', () => {
    const valueOf = (...args: string[]) => valuesOf(sound.settings, readOptions(args, sound.settings)).rounds;
    expect([valueOf(), valueOf('--quick'), valueOf('--quick', '--rounds', '4')]).toEqual([15, 1, 4]);
  });

  test.each([
    ['an option that does not exist', ['--round', '4'], "Unknown option '--round'"],
    ['a text where a number is due', ['--rounds', 'many'], '--rounds takes a number'],
  ])('a benchmark refuses %s', (_, args, why) => {
    expect(() => valuesOf(sound.settings, readOptions(args, sound.settings))).toThrow(why);
  });

  test('a benchmark prints its settings for --help', () => {
    expect(helpOf('search', sound)).toContain('npm run bench:search [-- options]');
    expect(helpOf('search', sound)).toMatch(/--rounds 15 +rounds in turns \(quick: 1\)/);
  });

  test('lists the existing benchmarks if the requested one does not exist', async () => {
    const bench = promisify(execFile)(process.execPath, ['bench/run.ts', 'serch', '--quick'], { cwd: root });
    const stderr = expect.stringMatching(
      /There is no benchmark serch\. There are: alerts, audit, .*upload\./,
    );
    await expect(bench).rejects.toMatchObject({ code: 2, stderr });
  });

  test('package.json has a script for every benchmark', async () => {
    const files = (await readdir(path.join(root, 'bench'))).filter((file) => /^\w+\.ts$/.test(file));
    const names = files.map((file) => file.replace('.ts', '')).filter((name) => name !== 'run');
    const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts).toMatchObject(
      Object.fromEntries(names.map((name) => [scriptOf(name), `node bench/run.ts ${name}`])),
    );
  });
});
