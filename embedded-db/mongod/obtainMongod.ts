import { constants, copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type CacheEntry, downloadOnce, findCached } from '../downloadOnce.ts';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { findProgram, runProgram } from '../runProgram.ts';

const oldestMajorVersion = 7;
const versionLimitMs = 10_000;
const program = 'mongod';

export interface ObtainOptions {
  cacheDir: string;
  progress: (line: string) => void;
}

/** Returns a mongod on PATH that is recent enough. */
export async function findInstalledMongod(): Promise<string | undefined> {
  const path = findProgram(program);
  if (!path) return undefined;
  const version = await runProgram(path, ['--version'], { timeoutMs: versionLimitMs }).catch(() => '');
  const major = Number(/db version v(\d+)\./.exec(version)?.[1] ?? 0);
  return major >= oldestMajorVersion ? path : undefined;
}

function cacheEntry(cacheDir: string): CacheEntry {
  return { directory: join(cacheDir, `mongod-1-${process.arch}`), proof: program };
}

/** Returns a mongod that was downloaded before. */
export function findCachedMongod(cacheDir: string): string | undefined {
  const directory = findCached(cacheEntry(cacheDir));
  return directory && join(directory, program);
}

/**
 * Returns the program's path, after a download if necessary.
 *
 * @throws EmbeddedDbError that states what is missing
 */
export async function obtainMongod({ cacheDir, progress }: ObtainOptions): Promise<string> {
  const present = (await findInstalledMongod()) ?? findCachedMongod(cacheDir);
  if (present) return present;
  const directory = await downloadOnce(cacheEntry(cacheDir), {
    name: program,
    firstHop: proxyOf(process.env) ?? (await findDownloadUrl()),
    progress,
    async download(workDir) {
      progress('embedded database: downloading mongod (once)');
      return download(workDir);
    },
  });
  return join(directory, program);
}

/**
 * Downloads the program. The downloader resumes an interrupted download and checks the archive. It may also find the
 * program elsewhere.
 */
async function download(workDir: string): Promise<string> {
  // The downloader checks certificates only if this is set.
  process.env.npm_config_strict_ssl ??= 'true';
  const { DryMongoBinary, MongoBinary, errors } = await import('mongodb-memory-server-core');
  const downloadDir = join(workDir, 'archive');
  const complete = join(workDir, 'complete');
  for (const directory of [downloadDir, complete]) mkdirSync(directory, { recursive: true });
  // The downloader would treat a partially unpacked program as complete, and remembers paths that were removed since.
  const isResumable = (name: string) => /\.(tgz|zip|downloading|lock)$/.test(name);
  for (const name of readdirSync(downloadDir)) if (!isResumable(name)) rmSync(join(downloadDir, name));
  DryMongoBinary.binaryCache.clear();
  try {
    const path = await MongoBinary.getPath({ downloadDir });
    copyFileSync(path, join(complete, program), constants.COPYFILE_FICLONE);
    return complete;
  } catch (error) {
    // Otherwise the downloader would check the same archive again.
    if (error instanceof errors.Md5CheckFailedError) rmSync(downloadDir, { recursive: true });
    throw error;
  }
}

/** Returns the URL of the download. The downloader is loaded on first use, because it includes a whole driver. */
async function findDownloadUrl(): Promise<string> {
  try {
    const { DryMongoBinary } = await import('mongodb-memory-server-core');
    const { MongoBinaryDownloadUrl } = await import(
      'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js'
    );
    return await new MongoBinaryDownloadUrl(await DryMongoBinary.generateOptions()).getDownloadUrl();
  } catch (error) {
    throw new EmbeddedDbError(`there is no mongod for this machine: ${reasonOf(error)}`, { cause: error });
  }
}

/** Returns the first configured proxy, in the downloader's own order. */
function proxyOf(environment: NodeJS.ProcessEnv): string | undefined {
  const { https_proxy, http_proxy, HTTPS_PROXY, HTTP_PROXY } = environment;
  return https_proxy || http_proxy || HTTPS_PROXY || HTTP_PROXY || undefined;
}
