import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type InstalledPackage, installPacked } from '../../../test/support/installPacked.ts';
import { Project } from './Project.ts';
import { readTemplate, workflowCommands } from './pipelines.ts';
import { edit, editOpenApi, type Planted } from './planted/Planted.ts';
import { store, storeGuards } from './planted/store.ts';

// A team that neither has this product nor its repository: it installs the packed tool, and runs the scripts of the package
// in its pipeline.

const run = promisify(execFile);
const project = new Project();
let tool: InstalledPackage;

const dayMs = 86_400_000;
const days = Array.from({ length: 20 }, (_, index) =>
  new Date(Date.now() - (index + 1) * dayMs).toISOString().slice(0, 10),
);
const usage = [
  { operation: 'a', coordinates: ['Query.items', 'Item.id', 'Item.subtitle'] },
  ...days.map((day) => ({
    day,
    client: 'cli_1',
    clientName: 'dealer-sync',
    operation: 'a',
    count: 7,
    lastUsedAt: `${day}T10:00:00Z`,
  })),
];

beforeAll(async () => {
  tool = await installPacked(path.join(import.meta.dirname, '..'), '@trigate/schema-check');
  copyFileSync(tool.tarball, path.join(project.folder, 'schema-check.tgz'));
  project.write({
    ...store,
    '.gitignore': 'node_modules\nschema-check.xml\nsummary.md\n',
    'package.json': {
      name: 'store',
      version: '1.0.0',
      devDependencies: { '@trigate/schema-check': 'file:schema-check.tgz' },
    },
    'schema-check.json': {
      subgraphs: ['items', 'reviews'].map((name) => ({ name, file: `${name}.graphql` })),
      openApi: 'openapi.json',
      operations: ['operations/*'],
      guards: storeGuards,
      usage: 'usage.jsonl',
    },
    'usage.jsonl': usage.map((line) => JSON.stringify(line)).join('\n'),
  });
  await run('npm', ['install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: project.folder,
  });
  project.commit();
  await script(['npm ci --prefer-offline --no-audit --no-fund']);
}, 300_000);
afterAll(() => {
  tool.remove();
  project.remove();
});
afterEach(() => {
  execFileSync('git', ['reset', '--quiet', '--hard'], { cwd: project.folder });
  execFileSync('git', ['clean', '--quiet', '--force', '-d'], { cwd: project.folder });
  for (const file of ['schema-check.xml', 'summary.md'])
    rmSync(path.join(project.folder, file), { force: true });
});

/** Runs commands of a pipeline, and stops at the first that fails. */
async function script(commands: readonly string[]): Promise<{ code: number; stdout: string }> {
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    BASE: 'main',
    CONFIG: 'schema-check.json',
    FAIL_ON: 'breaking',
    GITHUB_STEP_SUMMARY: path.join(project.folder, 'summary.md'),
  };
  try {
    const { stdout } = await run('bash', ['-e', '-c', commands.join('\n')], {
      cwd: project.folder,
      env: environment,
    });
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, stdout };
  }
}

/** Commands of a pipeline after the installation, which took place before the tests. */
const afterInstallation = (commands: readonly string[]) => commands.filter((command) => command !== 'npm ci');

function plantFiles(files: Planted['files']): void {
  for (const [file, text] of Object.entries(files))
    if (text === null) rmSync(path.join(project.folder, file));
    else project.write({ [file]: text });
}

const read = (file: string) => readFileSync(path.join(project.folder, file), 'utf8');

test('the workflow passes a branch without changes, and its summary states what was compared', async () => {
  const { code, stdout } = await script(afterInstallation(workflowCommands()));
  expect(stdout).toMatch(
    /^::notice title=schema-check::0 breaking.*read 2 subgraphs, a public schema, 4 routes, 4 reg/,
  );
  expect(read('summary.md')).toMatch(/^### The contract holds[\s\S]*20 days of usage/);
  expect(code).toBe(0);
}, 60_000);

test.each<[part: string, files: Planted['files'], line: RegExp]>([
  [
    'composition',
    edit('reviews.graphql', ['rating: Float', 'rating: Float title: String!']),
    /^::error file=schema-check\.json,.*composition-failed/m,
  ],
  [
    'GraphQL',
    edit('items.graphql', ['title: String!\n', 'title: String\n']),
    /^::error file=items\.graphql,line=\d+,.*field-type-changed:Item\.title/m,
  ],
  [
    'OpenAPI',
    editOpenApi(({ components }) => Reflect.deleteProperty(components.schemas.Item.properties, 'weight')),
    /^::error file=items\.graphql,.*response-property-removed:schemas\/Item weight/m,
  ],
  [
    'guards',
    edit('items.graphql', ['@owner(type: "Item")', '@authenticated']),
    /^::error file=items\.graphql,.*guard-looser:Mutation\.closeItem/m,
  ],
  [
    'operations',
    edit('operations/search.graphql', ['name', 'label']),
    /^::error file=operations\/search\.graphql,line=1,.*document-invalid/m,
  ],
  [
    'usage',
    edit('items.graphql', ['  subtitle: String\n', '']),
    /^::error .*field-removed.*Used by client `dealer-sync` 140 times in 30 days/m,
  ],
])(
  'the workflow refuses a planted change of %s, in its annotations and its summary',
  async (_, files, line) => {
    plantFiles(files);
    const { code, stdout } = await script(afterInstallation(workflowCommands()));
    expect(stdout).toMatch(line);
    expect(read('summary.md')).toMatch(/^### The contract breaks/);
    expect(code).toBe(1);
  },
  60_000,
);

test('the removal of a field that no client used passes with a note', async () => {
  plantFiles(edit('items.graphql', ['  note: String @authenticated\n', '']));
  const { code, stdout } = await script(afterInstallation(workflowCommands()));
  expect(stdout).toMatch(/^::warning .*Item\.note/m);
  expect(code).toBe(0);
}, 60_000);

test('the template of GitLab reports a refused change as a failed test case', async () => {
  plantFiles(edit('items.graphql', ['@policy(policies: [["staff"]])', '@public']));
  const { code } = await script(afterInstallation(readTemplate().job.script));
  expect(read('schema-check.xml')).toMatch(
    /name="Query\.report" file="items\.graphql" line="\d+"><failure type="guard-opened"/,
  );
  expect(code).toBe(1);
}, 60_000);

test('the template of GitLab passes a change that the team accepts by name', async () => {
  plantFiles({
    ...edit('items.graphql', ['@policy(policies: [["staff"]])', '@public']),
    'accepted-changes.yaml':
      '- id: guard-opened:Query.report\n  reason: The report is published from now on.\n',
  });
  const { code } = await script(afterInstallation(readTemplate().job.script));
  expect(read('schema-check.xml')).toContain('failures="0"');
  expect(code).toBe(0);
}, 60_000);

test('a base that does not exist fails the pipeline with exit code 2, and not as a passed check', async () => {
  const commands = afterInstallation(readTemplate().job.script).map((command) => `BASE=nothing; ${command}`);
  expect((await script(commands)).code).toBe(2);
  expect(existsSync(path.join(project.folder, 'schema-check.xml'))).toBe(true);
}, 60_000);
