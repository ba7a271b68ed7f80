import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '../support/tempFolder.ts';

const project = path.join(import.meta.dirname, '../..');

/** The handwritten contract of the shop. */
export const sdl = 'subgraphs/shop/listing/schema.graphql';
export const route = 'rest-facade/identity/listing/listing.graphql';

/** Output of `npm run schema:check -- --format json`, with its exit code. */
interface CheckOutput {
  status: number | null;
  base: { ref: string };
  counts: { breaking: number; accepted: number };
  changes: { id: string; severity: string; file: string; line: number }[];
  staleFiles: string[];
  unusedAcceptances: { id: string }[];
}

/**
 * Declares the repository of a small shop with the commands of this project. Its contract is committed and not generated yet.
 * It is deleted after the tests of the file.
 */
export function shopRepository() {
  const directory = tempFolder();
  // A hook of git that runs the tests must not lead the commands below to the project's own repository.
  const environment: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: directory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Test',
    GIT_AUTHOR_EMAIL: 'test@example.com',
    GIT_COMMITTER_NAME: 'Test',
    GIT_COMMITTER_EMAIL: 'test@example.com',
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: directory, env: environment, encoding: 'utf8' });
  const read = (file: string): string => readFileSync(path.join(directory, file), 'utf8');
  function write(file: string, text: string): void {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  }
  /** Runs a program of the project in the repository. */
  function node(script: string, ...args: string[]) {
    const options = { cwd: directory, env: environment, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], options);
    return { status, stdout, stderr };
  }
  const check = (...args: string[]) => node('bin/schemaCheck.ts', ...args);

  beforeAll(() => {
    copyProject(directory);
    for (const [file, text] of Object.entries(sources)) write(file, text);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('commit', '--quiet', '-m', 'sources');
  });
  return {
    directory,
    environment,
    git,
    read,
    write,
    /** Replaces a text of a file. */
    edit(file: string, from: string, to: string): void {
      const text = read(file);
      if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`);
      write(file, text.replace(from, to));
    },
    node,
    check,
    checkJson(...args: string[]): CheckOutput {
      const { status, stdout } = check('--format', 'json', ...args);
      return { ...(JSON.parse(stdout) as CheckOutput), status };
    },
  };
}

/** Copies the programs that read a contract, without this project's own contract. */
function copyProject(directory: string): void {
  cpSync(path.join(project, 'schema'), path.join(directory, 'schema'), {
    recursive: true,
    filter: (file) =>
      !/\.test\.ts$|(?:api|supergraph|accepted-changes)\.(?:graphql|yaml)$|(?:openapi|audit|plans)\.json$/.test(
        file,
      ),
  });
  const programs = ['schemaCheck', 'generate', 'audit', 'release'].map((name) => `bin/${name}.ts`);
  const parts = ['app/commands/readArguments.ts', 'app/generation', 'packages/schema-check/src'];
  for (const part of [...programs, ...parts])
    cpSync(path.join(project, part), path.join(directory, part), { recursive: true });
  symlinkSync(path.join(project, 'node_modules'), path.join(directory, 'node_modules'));
}

const sources = {
  'package.json': '{"type": "module"}',
  '.gitignore': 'node_modules\n',
  'supergraph.yaml':
    'subgraphs:\n  shop:\n    routing_url: http://127.0.0.1:1\n    schema:\n      file: schema/shop.graphql\n',
  [sdl]: `type Query {
  "One listing."
  listing("Its id." id: ID!): Listing @guard__authenticated
}

"Something on sale."
type Listing @key(fields: "id") @guard__authenticated {
  "Its id."
  id: ID!
  "What it is called."
  title: String
  "Nobody asks."
  code: String
}
`,
  [route]:
    'query listing($listingId: ID!) @route(method: GET, path: "/api/v1/listings/{listingId}", result: "listing") { listing(id: $listingId) { id title } }\n',
};
