import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { type EmbeddedDb, type StartOptions, startEmbeddedDb } from '../startEmbeddedDb.ts';

/** Starts DocumentDB for a test; undefined, with a warning, where it does not run. */
export async function startIfAvailable(
  options: Omit<StartOptions, 'engine'>,
): Promise<EmbeddedDb | undefined> {
  try {
    return await startEmbeddedDb({ ...options, engine: 'documentdb' });
  } catch (error) {
    if (!(error instanceof EmbeddedDbError)) throw error;
    console.warn(`SKIPPED, no DocumentDB: ${error.message}`);
    return undefined;
  }
}
