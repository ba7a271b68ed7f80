import mongoose from 'mongoose';
import { collection } from '../world/collection.ts';

/** The closed list of collections outside the installation scope. */
const globalCollections: ReadonlySet<string> = new Set([
  'installations',
  'signing_keys',
  'issuers',
  'operators',
  'events',
  'relay_cursors',
  'leases',
  'migrations',
]);

interface StoredRecord {
  readonly name: string;
  readonly id: string;
  readonly home: unknown;
  /** All ids of records that it contains. */
  readonly mentions: readonly string[];
}

/** Every stored record that belongs to an installation. */
export async function readScopedRecords(): Promise<StoredRecord[]> {
  const collections = (await mongoose.connection.db?.listCollections().toArray()) ?? [];
  const stored = await Promise.all(
    collections
      .filter(({ name }) => !globalCollections.has(name))
      .map(async ({ name }) =>
        (await collection(name).find({}).toArray()).map((document) => ({
          name,
          id: document._id,
          home: document.installationId,
          mentions: idsIn(document),
        })),
      ),
  );
  return stored.flat();
}

function idsIn(document: object): string[] {
  return [...JSON.stringify(document).matchAll(/\b[a-z]{2,5}_[0-9A-HJKMNP-TV-Z]{26}\b/g)].map(([id]) => id);
}
