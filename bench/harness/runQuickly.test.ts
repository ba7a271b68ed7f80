import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { benchesOf, runQuickly } from './runQuickly.ts';

/** What a benchmark is told to do, by a name for it. */
const bodies = {
  sound: `await bench({ ...about, settings }, async ({ rounds }) => report('rounds', String(rounds)));`,
  broken: `await bench(about, async () => { throw new Error('GET /api/v1/me answered 401: token_invalid'); });`,
  silent: `await bench(about, async () => undefined);`,
  empty: `console.log('ready');`,
  undivided: `await bench(about, async () => report('times', describeTimes([])));`,
} as const;
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-planted-'));
  for (const [name, body] of Object.entries(bodies)) {
    const about = { script: `bench:${name}`, measures: 'nothing much', settings: {} };
    const settings = { rounds: { usual: 15, quick: 1, means: 'rounds in turns' } };
    const lines = [
      `import { bench } from ${JSON.stringify(path.join(import.meta.dirname, 'bench.ts'))};`,
      `import { describeTimes, report } from ${JSON.stringify(path.join(import.meta.dirname, 'report.ts'))};`,
      `const about = ${JSON.stringify(about)};`,
      `const settings = ${JSON.stringify(settings)};`,
      body,
    ];
    await writeFile(path.join(folder, `${name}.mts`), lines.join('\n'));
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const planted = (name: string) => [`bench:${name}`, path.join(folder, `${name}.mts`)] as const;
const sound = (...args: string[]) => run(process.execPath, [planted('sound')[1], ...args]);

describe('a quick run of the benchmarks', () => {
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

  test('passes a benchmark that prints a result, and prints how many', async () => {
    expect(await runQuickly([planted('sound')])).toEqual([]);
    expect(printed).toEqual([expect.stringMatching(/ s {2}bench:sound: 1 results$/)]);
  });

  test.each([
    ['throws', 'broken', 'token_invalid'],
    ['prints no result through the harness', 'silent', 'bench:silent printed no result'],
    ['ends well outside of the harness without a result', 'empty', 'printed no result'],
    ['has a figure that is not a number', 'undivided', 'has no figure'],
  ])('fails a benchmark that %s, and prints why', async (_, name, why) => {
    expect(await runQuickly([planted('sound'), planted(name)])).toEqual([`bench:${name}`]);
    expect(printed.at(-1)).toMatch(new RegExp(`bench:${name}: FAILED[^]*${why}`));
  });
});

test('a benchmark that is asked for help prints its settings and measures nothing', async () => {
  const { stdout } = await sound('--help');
  expect(stdout).toContain('npm run bench:sound [-- options]');
  expect(stdout).toMatch(/--rounds 15 +rounds in turns \(quick: 1\)/);
  expect(stdout).not.toContain('results in');
});

test('a setting on the command line stands above the usual and the quick value', async () => {
  expect((await sound()).stdout).toMatch(/rounds +15$/m);
  expect((await sound('--quick')).stdout).toMatch(/rounds +1$/m);
  expect((await sound('--quick', '--rounds', '4')).stdout).toMatch(/rounds +4$/m);
});

test.each([
  ['an option that does not exist', ['--round', '4']],
  ['a text where a number is due', ['--rounds', 'many']],
])('a benchmark refuses %s and names --help', async (_, args) => {
  await expect(sound(...args)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--help lists the settings.'),
  });
});

test('every script of a benchmark is run quickly, but the one that runs them', async () => {
  const benches = await benchesOf(new URL('../../package.json', import.meta.url));
  expect([...benches.keys()]).toEqual(expect.arrayContaining(['bench', 'bench:load', 'bench:scaling']));
  expect(benches.has('bench:quick')).toBe(false);
  for (const file of benches.values()) expect(file).toMatch(/^bench\/\w+\.ts$/);
});
