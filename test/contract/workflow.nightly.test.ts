import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const project = path.join(import.meta.dirname, '../..');

interface Workflow {
  jobs: { check: { steps: { run?: string }[] } };
}

const { jobs } = parse(readFileSync(path.join(project, 'docs/ci/schema-check.yml'), 'utf8')) as Workflow;
const commands = jobs.check.steps.flatMap(({ run }) => (run?.startsWith('npm run') ? [run] : []));

test('the schema-check workflow runs generate, audit and two schema checks', () => {
  expect(commands.map((command) => /npm run (?:--silent )?(\S+)/.exec(command)?.[1])).toEqual([
    'generate',
    'audit',
    'schema:check',
    'schema:check',
  ]);
});

// A copy without history has no base branch.
(existsSync(path.join(project, '.git')) ? test : test.skip).each(commands)(
  '%s succeeds with HEAD as the base branch',
  (command) => {
    const line = command.replace(/"origin\/[^"]+"/, 'HEAD').replace(/ > \S+ \|\| true$/, '');
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: project, encoding: 'utf8' });
    expect([status, stderr.replace(/^npm warn .*\n/gm, '')]).toEqual([
      0,
      expect.not.stringContaining('Usage'),
    ]);
  },
  120_000,
);
