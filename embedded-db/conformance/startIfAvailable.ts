import { EmbeddedDbError } from '../EmbeddedDbError.ts';
import { type EmbeddedDb, type StartOptions, startEmbeddedDb } from '../startEmbeddedDb.ts';

/** Starts DocumentDB for a test; returns undefined with a warning if it is not available. */
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
