import type mongoose from 'mongoose';

/** As many as an import writes in a transaction. */
const batchSize = 400;
type Stored = mongoose.mongo.Document & { _id: string };

/**
 * Writes the listings of a dealer and their public copies once more, into new collections with the same indexes, in
 * transactions that do nothing besides: how fast the database is without anything of ours.
 */
export async function insertBare(
  connection: mongoose.Connection,
  dealerId: string,
): Promise<{ perSecond: number }> {
  const listings = await copyOf(connection, 'listings', { 'owner.id': dealerId });
  const copies = await copyOf(connection, 'catalog_listings', { 'seller.id': dealerId });
  const begun = performance.now();
  for (let start = 0; start < listings.records.length; start += batchSize) {
    const session = await connection.startSession();
    await session.withTransaction(async () => {
      for (const { into, records } of [listings, copies])
        await into.insertMany(records.slice(start, start + batchSize), { session });
    });
    await session.endSession();
  }
  const seconds = (performance.now() - begun) / 1000;
  return { perSecond: Math.round(listings.records.length / seconds) };
}

async function copyOf(connection: mongoose.Connection, name: string, filter: object) {
  const from = connection.collection<Stored>(name);
  const records = await from.find(filter).toArray();
  await connection.createCollection(`bare_${name}`);
  const into = connection.collection<Stored>(`bare_${name}`);
  for (const { key, name: index, v: _, ...options } of await from.indexes())
    if (index !== '_id_') await into.createIndex(key, { ...options, ...(index && { name: index }) });
  return { into, records };
}
