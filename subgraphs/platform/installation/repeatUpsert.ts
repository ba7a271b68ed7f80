import { isDuplicateKey } from './scoped.ts';

const attempts = 3;

/**
 * Runs an upsert by id again when another first write of the same record came in between: this one finds that record
 * then. The database repeats by itself only filters of the id alone, and ours name the installation.
 */
export async function repeatUpsert<T>(upsert: () => Promise<T | null>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const record = await upsert();
      if (record !== null) return record;
      throw new Error('An upsert answered no record.');
    } catch (error) {
      if (!isDuplicateKey(error) || attempt === attempts) throw error;
    }
  }
}
