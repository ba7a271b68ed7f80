import { hash } from 'node:crypto';
import { EJSON } from 'bson';
import mongoose from 'mongoose';

/**
 * What a refusal may leave behind: lines about refusals, and that an operator has called, whatever came of it. Streams of
 * earlier calls are removed when their clients have left.
 */
const allowed: Readonly<Record<string, object>> = {
  open_streams: { _id: null },
  audit_events: { result: { $ne: 'denied' }, 'actor.type': { $ne: 'operator' } },
};

/** By collection a digest of every document, but for lines of the audit that refusals leave behind. */
export async function digestCollections(): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const collections = (await mongoose.connection.db?.listCollections().toArray()) ?? [];
  for (const { name } of collections) {
    const documents = await mongoose.connection
      .collection(name)
      .find(allowed[name] ?? {}, { sort: { _id: 1 } })
      .toArray();
    digests.set(name, hash('sha256', EJSON.stringify(documents)));
  }
  return digests;
}

/** Names of the collections that are not what they were. */
export function changedCollections(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
}
