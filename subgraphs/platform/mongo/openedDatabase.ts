import mongoose from 'mongoose';

/**
 * Returns the driver's database of this process, without models, for collections of other subgraphs.
 *
 * @throws Error if called before `connectMongo`, which is a bug
 */
export function openedDatabase(): mongoose.mongo.Db {
  const { db } = mongoose.connection;
  if (!db) throw new Error('No database connection.');
  return db;
}
