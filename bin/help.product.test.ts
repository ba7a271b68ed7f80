import { readFileSync } from 'node:fs';
import { runProgram } from '../test/support/stack/runProgram.ts';

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: Record<string, string>;
};

/** Scripts of package.json that are programs of the project, each program once, with its arguments. */
const programs = [
  ...new Map(
    Object.entries(scripts).flatMap(([name, command]): [string, [string, string, string[]]][] => {
      const [, file = '', args = ''] = /^node .*?((?:bin|bench|test)\/[\w/]+\.ts)(.*)$/.exec(command) ?? [];
      return file === '' ? [] : [[file, [name, file, args.split(' ').filter((arg) => arg !== '')]]];
    }),
  ).values(),
];

test('each npm script runs one program of this project, except six scripts of other tools', () => {
  const others = Object.entries(scripts).filter(([, command]) => !command.startsWith('node '));
  expect(others.map(([name]) => name)).toEqual([
    'format',
    'test',
    'test:coverage',
    'test:unit',
    'test:product',
    'test:nightly',
  ]);
  expect(Object.values(scripts).filter((command) => /[;&|]/.test(command))).toEqual([]);
  expect(programs.length).toBeGreaterThan(20);
});

test.each(programs)(
  'npm run %s prints its help, and refuses an unknown option in one line',
  async (_, file, args) => {
    const [help, refusal] = await Promise.all([
      runProgram(file, [...args, '--help'], {}),
      runProgram(file, [...args, '--no-such-option'], {}),
    ]);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toMatch(/npm (start|run [\w:-]+|run -s [\w:-]+)/);
    expect(help.stdout.split('\n').length).toBeGreaterThan(2);
    expect(refusal).toMatchObject({ code: 2, stdout: '' });
    expect(refusal.stderr).toMatch(/^.*--help.*\n$/);
  },
);
