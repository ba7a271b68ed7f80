import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd().split('\n');
const documents = git('ls-files', 'README.md', 'CONTRIBUTING.md', 'docs/**/*.md').filter((file) =>
  existsSync(path.join(root, file)),
);
const manifest = JSON.parse(read('package.json'));
const scripts = { ...manifest.scripts, ...JSON.parse(read('packages/client/package.json')).scripts };

/** The distinct matches of a pattern, with the documents that contain them. */
function mentions(pattern: RegExp): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of documents)
    for (const [, name = ''] of read(file).matchAll(pattern))
      found.set(name, [...new Set([...(found.get(name) ?? []), file])]);
  return found;
}

const unless = (found: Map<string, string[]>, holds: (name: string) => boolean) =>
  [...found].filter(([name]) => !holds(name)).map(([name, files]) => `${name} in ${files.join(', ')}`);

test('every command that the documentation names is a script of one of the packages', () => {
  const commands = mentions(/\bnpm run ([a-z][a-z:-]*)/g);
  expect(commands.size).toBeGreaterThan(20);
  expect(unless(commands, (name) => name in scripts)).toEqual([]);
});

test('every file of the repository that the documentation names exists', () => {
  const folders = git('ls-tree', '-d', '--name-only', 'HEAD').filter((name) => !name.startsWith('.'));
  const files = mentions(new RegExp(`\`((?:${folders.join('|')})/[\\w./-]+\\.[a-z]+)\``, 'g'));
  expect(files.size).toBeGreaterThan(30);
  expect(unless(files, (file) => existsSync(path.join(root, file)))).toEqual([]);
});

test('every relative link of a document leads to a file', () => {
  for (const file of documents)
    for (const [, target = ''] of read(file).matchAll(/\]\((?!https?:|#|\/)([^)#\s]+)/g))
      expect([file, target, existsSync(path.join(root, path.dirname(file), target))]).toEqual([
        file,
        target,
        true,
      ]);
});

test('the list of decision records is complete, and every record that a file names exists', () => {
  const records = globSync('*/*.md', { cwd: path.join(root, 'docs/adr') });
  const list = read('docs/adr/README.md');
  expect(records.filter((file) => !list.includes(`](${file})`))).toEqual([]);
  expect(new Set(records.map((file) => path.basename(file).slice(0, 4))).size).toBe(records.length);
  const named = git(
    'grep',
    '-hoE',
    'docs/adr/[a-z-]+/[0-9]{4}[a-z0-9.-]*',
    '--',
    '*.ts',
    '*.md',
    '*.yml',
    '*.graphql',
  );
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('the schema-check workflow of this repository equals the one of the guide', () => {
  const workflow = (file: string) => read(file).replace(/^#.*\n/gm, '');
  expect(workflow('.github/workflows/schema-check.yml')).toBe(workflow('docs/ci/schema-check.yml'));
});

test('the README states the Node version that package.json requires', () => {
  const [, version] = /^>=(\S+)$/.exec(manifest.engines.node) ?? [];
  expect(read('README.md')).toContain(`Node ${version} or newer`);
});

test('every job in a table of the documentation has the documented interval', () => {
  const sources = git('ls-files', 'subgraphs/*.ts').filter((file) => existsSync(path.join(root, file)));
  const intervals = new Map<string, number>();
  const texts = sources.map(read);
  const constants = new Map(
    texts.flatMap((text) =>
      [...text.matchAll(/const (\w+) = ('[a-z]+\.[a-z-]+');/g)].map(([, name, value]) => [name, value]),
    ),
  );
  for (const text of texts.map((one) =>
    one.replace(/name: (\w+),/g, (_, name) => `name: ${constants.get(name)},`),
  ))
    for (const [, name = '', every = ''] of text.matchAll(
      /name: '([a-z]+\.[a-z-]+)',\s+everyMs: ([\d_* ]+),/g,
    ))
      intervals.set(
        name,
        every.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1),
      );
  const units: Record<string, number> = { s: 1000, min: 60_000, h: 3_600_000 };
  const rows = documents.flatMap((file) => [
    ...read(file).matchAll(/^\| `([a-z]+\.[a-z-]+)` \| (\d+) (s|min|h) \|/gm),
  ]);
  expect(rows.length).toBeGreaterThan(0);
  for (const [, name = '', count, unit = ''] of rows)
    expect([name, Number(count) * (units[unit] ?? 0)]).toEqual([name, intervals.get(name)]);
});

/** Whether a source declares a function, a constant, a class or a method of this name. */
function declares(source: string, name: string): boolean {
  const declaration = new RegExp(
    `\\b(?:function\\*?|const|class|get) ${name}\\b|^ +(?:async )?${name}\\(`,
    'm',
  );
  return declaration.test(source);
}

test('every file that docs/architecture.md names exists, and declares the function named with it', () => {
  const text = read('docs/architecture.md').replace(/\s+/g, ' ');
  const files = [...text.matchAll(/`([\w.-]+\/[\w./-]+\.(?:ts|graphql|md))`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(35);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  const pairs = [...text.matchAll(/`(\w+)` (?:in|\() ?`([\w./-]+\.ts)`/g)];
  expect(pairs.length).toBeGreaterThan(15);
  for (const [, name = '', file = ''] of pairs)
    expect([file, name, declares(read(file), name)]).toEqual([file, name, true]);
});
