import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hasApt } from './documentdb/debian/Apt.ts';
import { findBundle } from './documentdb/debian/obtainBundle.ts';
import { EmbeddedDbError } from './EmbeddedDbError.ts';
import { findCachedMongod, findInstalledMongod } from './mongod/obtainMongod.ts';
import { findProgram } from './runProgram.ts';

export type EngineName = 'mongod' | 'documentdb';

/** Engines of the embedded database. */
export const engines: readonly EngineName[] = ['mongod', 'documentdb'];

export interface EngineOrder {
  /** Engines in the order of attempts; the first available one is used. */
  order: EngineName[];
  /** Reason why there is only one, for the message if it is unavailable. */
  because?: string;
}

/** Returns the directory of an engine inside the data directory. */
export function engineDirectory(dataDir: string, engine: EngineName): string {
  return join(dataDir, engine);
}

/** Returns the engine that `EMBEDDED_DB` names. Throws an EmbeddedDbError for an invalid value. */
export function engineFromEnvironment(environment: NodeJS.ProcessEnv = process.env): EngineName | undefined {
  const value = environment.EMBEDDED_DB;
  if (!value) return undefined;
  const engine = engines.find((name) => name === value);
  if (engine) return engine;
  throw new EmbeddedDbError(`EMBEDDED_DB is "${value}"; it can be ${engines.join(' or ')}, or unset`);
}

/**
 * Returns the requested engine, otherwise the one with existing data (another one would start empty), otherwise the
 * cheapest to obtain: installed, cached, downloadable.
 */
export async function chooseEngine(options: {
  demanded: EngineName | undefined;
  dataDir: string;
  cacheDir: string;
}): Promise<EngineOrder> {
  const { demanded, dataDir, cacheDir } = options;
  if (demanded) return { order: [demanded], because: `${demanded} was asked for` };
  const withData = engines.filter((engine) => existsSync(engineDirectory(dataDir, engine)));
  if (withData.length === 1) return { order: withData, because: `${dataDir} holds data of ${withData[0]}` };
  return { order: await orderByCost(cacheDir) };
}

async function orderByCost(cacheDir: string): Promise<EngineName[]> {
  if (await findInstalledMongod()) return ['mongod', 'documentdb'];
  if (findBundle(cacheDir)) return ['documentdb', 'mongod'];
  if (findCachedMongod(cacheDir)) return ['mongod', 'documentdb'];
  return hasApt(findProgram) ? ['documentdb', 'mongod'] : ['mongod', 'documentdb'];
}
