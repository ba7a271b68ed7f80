import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { canConnect } from '../canConnect.ts';
import { EmbeddedDbError, reasonOf } from '../EmbeddedDbError.ts';
import { findProgram, runProgram } from '../runProgram.ts';

const OLDEST_MAJOR_VERSION = 7;
const VERSION_LIMIT_MS = 10_000;

export interface ObtainOptions {
  cacheDir: string;
  progress: (line: string) => void;
}

/** A mongod on PATH that is new enough. */
export async function findInstalledMongod(): Promise<string | undefined> {
  const path = findProgram('mongod');
  if (!path) return undefined;
  const version = await runProgram(path, ['--version'], { timeoutMs: VERSION_LIMIT_MS }).catch(() => '');
  const major = Number(/db version v(\d+)\./.exec(version)?.[1] ?? 0);
  return major >= OLDEST_MAJOR_VERSION ? path : undefined;
}

/** A mongod that was downloaded before. The checksum beside it is written when it is complete. */
export function findCachedMongod(cacheDir: string): string | undefined {
  const directory = downloadDirectory(cacheDir);
  if (!existsSync(directory)) return undefined;
  const names = new Set(readdirSync(directory));
  const complete = [...names].filter((name) => name.startsWith('mongod') && names.has(`${name}.md5`)).sort();
  const newest = complete.at(-1);
  return newest && join(directory, newest);
}

/** The program's path, downloaded if need be. Throws an EmbeddedDbError that says what is missing. */
export async function obtainMongod({ cacheDir, progress }: ObtainOptions): Promise<string> {
  const present = (await findInstalledMongod()) ?? findCachedMongod(cacheDir);
  if (present) return present;
  const downloadDir = downloadDirectory(cacheDir);
  const url = await findDownloadUrl();
  const reachedFirst = proxyOf(process.env) ?? url;
  if (!(await canConnect(reachedFirst)))
    throw new EmbeddedDbError(`${new URL(reachedFirst).host} cannot be reached`);
  progress('embedded database: downloading mongod (once)');
  // The downloader checks certificates only when it is told to.
  process.env.npm_config_strict_ssl ??= 'true';
  try {
    const { MongoBinary } = await import('mongodb-memory-server-core');
    return await MongoBinary.getPath({ downloadDir });
  } catch (error) {
    throw new EmbeddedDbError(`mongod could not be downloaded: ${reasonOf(error)}`, { cause: error });
  }
}

/** Where the downloader would go; loaded only now, because it brings a whole driver along. */
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

/** In the downloader's own order, as far as anybody sets them. */
function proxyOf(environment: NodeJS.ProcessEnv): string | undefined {
  const { https_proxy, http_proxy, HTTPS_PROXY, HTTP_PROXY } = environment;
  return https_proxy || http_proxy || HTTPS_PROXY || HTTP_PROXY || undefined;
}

function downloadDirectory(cacheDir: string): string {
  return join(cacheDir, 'mongod');
}
