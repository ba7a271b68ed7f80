import { hash } from 'node:crypto';
import { EJSON } from 'bson';
import mongoose from 'mongoose';
import { ofTests } from '../../support/stack/scatteredCommands.ts';

/**
 * Writes that a refusal can cause: audit events of refusals, of calls by operators, and of documents of a dealer that
 * were read to compare a body with the stored record. Records of event streams are removed when the clients of earlier
 * calls disconnect.
 */
const allowed: Readonly<Record<string, object>> = {
  open_streams: { _id: null },
  audit_events: {
    result: { $ne: 'denied' },
    'actor.type': { $ne: 'operator' },
    action: { $ne: 'DealerVerification.documents' },
  },
};

/** Digests of all documents by collection, without the audit events of refusals. */
export async function digestCollections(): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  const collections = (await mongoose.connection.db?.listCollections().toArray()) ?? [];
  for (const { name } of collections) {
    const documents = await mongoose.connection
      .collection(name)
      .find(allowed[name] ?? {}, { sort: { _id: 1 }, comment: ofTests })
      .toArray();
    digests.set(name, hash('sha256', EJSON.stringify(documents)));
  }
  return digests;
}

/** Names of the changed collections. */
export function changedCollections(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .sort();
}
