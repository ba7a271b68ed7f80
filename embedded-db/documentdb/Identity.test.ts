import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '../../test/support/tempFolder.ts';
import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { findProgram } from '../runProgram.ts';
import { bundleDirectory, obtainBundle } from './debian/obtainBundle.ts';
import { chooseIdentity } from './Identity.ts';

const programPath = fileURLToPath(new URL('./showIdentity.ts', import.meta.url));
const cache = join(process.env.XDG_CACHE_HOME || join(process.env.HOME ?? '', '.cache'), 'trigate');

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: how root is handled can only be seen as root');

/** The bundle's directory, or undefined when there is none to be had here. */
async function findBundle(): Promise<string | undefined> {
  if (!isRoot) return undefined;
  try {
    return await obtainBundle({ cacheDir: cache, progress: () => {} });
  } catch (error) {
    if (!(error instanceof EmbeddedDbError)) throw error;
    console.warn(`SKIPPED, no DocumentDB: ${error.message}`);
    return undefined;
  }
}

const bundle = await findBundle();
const root = tempFolder();

(bundle ? describe : describe.skip)('PostgreSQL never runs as root', () => {
  /** Starts a database in another process and returns the user ids of its server, or why there is none. */
  function run(
    directory: string,
    path: string,
  ): { kind?: string; uids?: string; files?: number; failure?: string } {
    const env = { ...process.env, PATH: path };
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [programPath, join(directory, 'data'), join(directory, 'cache')],
      { env },
    );
    if (stdout.length === 0) throw new Error(stderr.toString());
    return JSON.parse(stdout.toString());
  }

  /** A directory with a cache of its own, and a search path without the program that makes user namespaces. */
  function setUp(name: string): { directory: string; pathWithoutNamespaces: string } {
    const directory = join(root, name);
    const cacheDir = join(directory, 'cache');
    mkdirSync(cacheDir, { recursive: true });
    execFileSync('cp', ['-a', bundle ?? '', bundleDirectory(cacheDir)]);
    const programs = join(directory, 'bin');
    mkdirSync(programs);
    for (const program of ['sh', 'cat', 'flock'])
      symlinkSync(findProgram(program) ?? '', join(programs, program));
    return { directory, pathWithoutNamespaces: programs };
  }

  const hasNamespaces = chooseIdentity().kind === 'namespace';
  (hasNamespaces ? test : test.skip)(
    'in a user namespace it keeps working below a directory that only root may enter',
    () => {
      const { directory } = setUp('closed');
      chmodSync(root, 0o700);
      const seen = run(directory, process.env.PATH ?? '');
      expect(seen).toMatchObject({ kind: 'namespace', files: 0 });
    },
  );

  test("the database runs as the system's unprivileged user, which owns its files, if user namespaces are missing", () => {
    chmodSync(root, 0o755);
    const { directory, pathWithoutNamespaces } = setUp('open');
    const seen = run(directory, pathWithoutNamespaces);
    expect(seen).toMatchObject({ kind: 'nobody', uids: '65534', files: 65_534 });
    // The same data in a namespace, as when a container gets other privileges.
    const again = run(directory, process.env.PATH ?? '');
    expect(again).toMatchObject(hasNamespaces ? { kind: 'namespace', files: 0 } : { kind: 'nobody' });
  });

  test('the error names an inaccessible directory if user namespaces are missing', () => {
    const { directory, pathWithoutNamespaces } = setUp('unreachable');
    chmodSync(root, 0o700);
    const { failure } = run(directory, pathWithoutNamespaces);
    expect(failure).toMatch(/"nobody", which cannot reach .*unreachable.*MONGODB_URI/s);
  });
});
