import { isDuplicateKey } from './scoped.ts';

const attempts = 3;

/**
 * Repeats an upsert by id after a concurrent first write of the same record, which it then finds. The database itself
 * repeats only filters of the id alone, and these filters also contain the installation.
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
