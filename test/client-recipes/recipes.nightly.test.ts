import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDoor } from '../../packages/client/test/openDoor.ts';
import { product } from '../support/product.ts';
import { type Program, startProgram } from '../support/stack/startProgram.ts';
import { tempFolder } from '../support/tempFolder.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');
const guide = readFileSync(path.join(root, 'docs/how-to/trusted-documents.md'), 'utf8');
const [general = '', ...sections] = guide.split(/^## /m);
const patienceMs = 300_000;

interface Recipe {
  readonly name: string;
  /** Sections of the guide, in the order in which they are followed. */
  readonly sections: readonly string[];
  readonly manifest: string;
}

const generated = 'src/gql/persisted-documents.json';
const recipes: readonly Recipe[] = [
  { name: 'Apollo Client', sections: ['GraphQL Code Generator', 'Apollo Client'], manifest: generated },
  { name: 'urql', sections: ['GraphQL Code Generator', 'urql'], manifest: generated },
  { name: 'Relay', sections: ['Relay'], manifest: 'persisted-documents.json' },
];

const folder = tempFolder();
const projectOf = ({ name }: Recipe) => path.join(folder, name.replaceAll(' ', '-'));
const operations = path.join(folder, 'operations');
const world = product();

/** Writes the files of a section and runs its commands, in their order. */
async function follow(text: string, project: string, url: string): Promise<void> {
  const blocks = text.matchAll(/(?:^`([\w./-]+)`:\n\n)?^```(\w+)\n(.*?)^```$/gms);
  for (const [, file, language, content = ''] of blocks) {
    if (file !== undefined) {
      mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
      writeFileSync(path.join(project, file), content);
    } else if (language === 'sh')
      await run('bash', ['-e', '-c', content.replaceAll('http://localhost:4000', url)], {
        cwd: project,
        // The product's own tools must not be found instead of those of the project.
        env: { ...process.env, NODE_ENV: 'development', npm_config_fund: 'false', npm_config_audit: 'false' },
      });
  }
}

describe.each(recipes)('the recipe for $name', (recipe) => {
  test(
    'builds a frontend and writes the manifest of its operation',
    async () => {
      const door = await openDoor(await world.stack.port(), world.market.installation.hosts[0]);
      const project = projectOf(recipe);
      mkdirSync(project, { recursive: true });
      await follow(general, project, door.url);
      for (const title of recipe.sections)
        await follow(sections.find((text) => text.startsWith(`${title}\n`)) ?? '', project, door.url);
      await door.close();
      const manifest = JSON.parse(readFileSync(path.join(project, recipe.manifest), 'utf8'));
      expect(Object.entries(manifest)).toEqual([
        [expect.stringMatching(/^(sha256:)?[0-9a-f]{64}$/), expect.stringContaining('catalogListings(')],
      ]);
      mkdirSync(operations, { recursive: true });
      cpSync(path.join(project, recipe.manifest), path.join(operations, `${path.basename(project)}.json`));
    },
    patienceMs,
  );
});

describe('a product that only serves the registered operations', () => {
  let service: Program;
  beforeAll(async () => {
    service = await startProgram('main.ts', 'bin/main.ts', {
      DATA_DIR: path.join(folder, 'data'),
      PORT: '0',
      MONGODB_URI: '',
      REGISTERED_OPERATIONS: operations,
      REGISTERED_ONLY: 'on',
    });
  }, patienceMs);
  afterAll(() => service.stop());

  test.each(recipes)('answers the frontend with $name', async (recipe) => {
    const { stdout } = await run(process.execPath, ['dist/main.mjs'], {
      cwd: projectOf(recipe),
      env: { PATH: process.env.PATH, TRIGATE_URL: service.url },
    });
    expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/volvo/i), expect.stringMatching(/volvo/i)]);
  });

  test('refuses an operation that is not in a manifest', async () => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ defaultLanguage { code } }' }),
    });
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'OPERATION_NOT_REGISTERED' } }],
    });
  });
});

test.each(recipes)(
  'the check in the repository of the frontend with $name refuses a schema without a field that it uses',
  async (recipe) => {
    const project = projectOf(recipe);
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...words], {
        cwd: project,
      });
    const settings = { api: 'schema.graphql', operations: [recipe.manifest] };
    writeFileSync(path.join(project, 'schema-check.json'), JSON.stringify(settings));
    git('init', '--quiet');
    git('add', 'schema.graphql', recipe.manifest, 'schema-check.json');
    git('commit', '--quiet', '-m', 'start');
    const check = async () => {
      const command = [
        path.join(root, 'packages/schema-check/src/main.ts'),
        '--base',
        'HEAD',
        '--format',
        'json',
      ];
      const { stdout } = await run(process.execPath, command, { cwd: project }).catch(
        (failed: { stdout: string }) => failed,
      );
      const { counts, changes } = JSON.parse(stdout);
      return { breaking: counts.breaking, ids: changes.map(({ id }: { id: string }) => id) };
    };
    expect(await check()).toEqual({ breaking: 0, ids: [] });
    const file = path.join(project, 'schema.graphql');
    const schema = readFileSync(file, 'utf8');
    const listing = /^type CatalogListing [^]*?^}/m;
    writeFileSync(
      file,
      schema.replace(listing, (type) => type.replace(/^ {2}title: /m, '  heading: ')),
    );
    const { breaking, ids } = await check();
    expect(breaking).toBeGreaterThan(0);
    expect(ids).toContain('field-removed:CatalogListing.title');
  },
  60_000,
);
