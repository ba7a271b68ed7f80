import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeArchive } from '../../../test/support/servers/fakeApt.ts';
import { makeFakeArchive } from '../../../test/support/servers/makeFakeArchive.ts';
import { tempFolder } from '../../../test/support/tempFolder.ts';
import { findProgram } from '../../runProgram.ts';
import { bundleLayout } from '../bundleLayout.ts';
import { hasApt } from './Apt.ts';
import { bundleDirectory, findBundle, obtainBundle } from './obtainBundle.ts';

const libraryPackage = 'libc6';
const environment = { ...process.env };
const root = tempFolder();
afterEach(() => {
  process.env = { ...environment };
});

const canBuildPackages = ['dpkg-deb', 'ldd'].every(findProgram) && hasApt(findProgram);
if (!canBuildPackages) console.warn('SKIPPED: packages of Debian need its tools and its keyring');

(canBuildPackages ? describe : describe.skip)('obtaining a bundle', () => {
  let count = 0;
  function setUp(options: { libraries?: string } & Partial<FakeArchive> = {}) {
    const directory = join(root, String(++count));
    const archiveDir = join(directory, 'archive');
    const cacheDir = join(directory, 'cache');
    execFileSync('mkdir', ['-p', archiveDir, cacheDir]);
    makeFakeArchive(archiveDir, { libraries: libraryPackage, ...options });
    process.env.FAKE_APT = archiveDir;
    process.env.EMBEDDED_DB_MIRROR = `file:${archiveDir}`;
    process.env.PATH = `${join(archiveDir, 'bin')}:${environment.PATH}`;
    const lines: string[] = [];
    return {
      cacheDir,
      lines,
      obtain: () => obtainBundle({ cacheDir, progress: (line) => lines.push(line) }),
      calls: () => readFileSync(join(archiveDir, 'calls'), 'utf8').trim().split('\n'),
      change(changes: Partial<FakeArchive>) {
        const file = join(archiveDir, 'archive.json');
        writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...changes }));
      },
      partial: (file: string) => join(`${bundleDirectory(cacheDir)}.partial`, 'packages', file),
    };
  }

  /** Downloads in another process until that stands still in the middle of a package, and kills it. */
  async function interrupt(cacheDir: string, partial: string): Promise<void> {
    const script = `import { obtainBundle } from ${JSON.stringify(join(import.meta.dirname, 'obtainBundle.ts'))};
      await obtainBundle({ cacheDir: ${JSON.stringify(cacheDir)}, progress() {} });`;
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
      detached: true,
      env: process.env,
    });
    while (!existsSync(partial)) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(-(child.pid ?? 0), 'SIGKILL'); // with apt, as when a machine is switched off
    await once(child, 'exit');
  }

  test('downloads only what the bundle needs, reports its progress and leaves no temporary files', async () => {
    const { obtain, calls, lines, cacheDir } = setUp();
    const layout = bundleLayout(await obtain());
    expect(findBundle(cacheDir)).toBe(layout.root);
    expect(execFileSync(join(layout.programs, 'postgres'), ['-c', 'echo it runs']).toString()).toBe(
      'it runs\n',
    );
    expect(readdirSync(layout.extensions).sort()).toEqual([
      'documentdb.control',
      'postgis--3.6.4.sql',
      'postgis-3.control',
      'postgis.control',
    ]);
    expect(calls().filter((call) => call.startsWith('transfer'))).toHaveLength(3);
    expect(calls().join('\n')).not.toContain('transfer libgdal39');
    expect(lines.filter((line) => /downloaded \d+ of \d+ MB/.test(line)).length).toBeGreaterThanOrEqual(2);
    expect(readdirSync(cacheDir).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('a download that is killed leaves no bundle, and the next attempt resumes it', async () => {
    const { obtain, calls, cacheDir, change, partial } = setUp({ stallsAfter: 1 });
    await interrupt(cacheDir, partial('postgresql-18_1_all.deb'));
    expect(findBundle(cacheDir)).toBeUndefined();
    change({ stallsAfter: null });
    await obtain();
    const transfers = calls().filter((call) => call.startsWith('transfer'));
    expect(transfers).toEqual([
      'transfer postgresql-18-documentdb_1_all.deb from the start',
      'transfer postgresql-18_1_all.deb from the middle',
      `transfer ${libraryPackage}_1_all.deb from the start`,
    ]);
  });

  test('a downloaded package of the right length but the wrong content is downloaded again', async () => {
    const { obtain, calls, cacheDir, change, partial } = setUp({ stallsAfter: 1 });
    await interrupt(cacheDir, partial('postgresql-18_1_all.deb'));
    change({ stallsAfter: null });
    const damaged = partial('postgresql-18-documentdb_1_all.deb');
    writeFileSync(damaged, Buffer.alloc(readFileSync(damaged).length));
    await obtain();
    const transfer = 'transfer postgresql-18-documentdb_1_all.deb from the start';
    expect(calls().filter((call) => call === transfer)).toHaveLength(2);
    expect(findBundle(cacheDir)).toBeDefined();
  });

  test('a mirror that delivers the wrong content causes an error and leaves no bundle', async () => {
    const { obtain, cacheDir, change } = setUp();
    const { packages } = JSON.parse(
      readFileSync(join(process.env.FAKE_APT ?? '', 'archive.json'), 'utf8'),
    ) as FakeArchive;
    change({ packages: packages.map((one) => ({ ...one, sha256: '0'.repeat(64) })) });
    await expect(obtain()).rejects.toThrow(/wrong hash.*MONGODB_URI/s);
    expect(findBundle(cacheDir)).toBeUndefined();
  });

  test('of two concurrent downloads one runs, and both return the bundle', async () => {
    const { obtain, calls, lines } = setUp();
    const [one, other] = await Promise.all([obtain(), obtain()]);
    expect(one).toBe(other);
    expect(calls().filter((call) => call.includes('update'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('waiting'))).toHaveLength(1);
  });

  test.each([
    [
      'the Debian archive of the machine is used',
      'file:/nowhere/debian/',
      'file:/nowhere/debian/ cannot be reached',
    ],
    [
      'a machine without a Debian archive is asked for one',
      'file:/nowhere/ubuntu/',
      'set one with EMBEDDED_DB_MIRROR',
    ],
  ])('without EMBEDDED_DB_MIRROR %s', async (_, mirror, message) => {
    const { obtain } = setUp({ mirrors: ['file:/nowhere/debian-security/', mirror] });
    delete process.env.EMBEDDED_DB_MIRROR;
    await expect(obtain()).rejects.toThrow(message);
  });

  test('the bundle is taken from unstable if testing does not have it', async () => {
    const { obtain, calls } = setUp({ suites: ['sid'] });
    const { manifest } = bundleLayout(await obtain());
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ suite: 'sid' });
    expect(calls().filter((call) => call.includes('update'))).toHaveLength(2);
  });

  test('a library from a package that is usually left out is downloaded if it is needed', async () => {
    const { obtain, calls, lines } = setUp({ libraries: 'locales' });
    await obtain();
    expect(lines.join('\n')).toContain('downloading all that Debian would install');
    expect(calls().join('\n')).toContain('transfer libgdal39');
  });
});
