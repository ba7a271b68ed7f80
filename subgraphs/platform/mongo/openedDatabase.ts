import mongoose from 'mongoose';

/**
 * The driver's view of the process's database, past every model: for what no model describes, such as another
 * subgraph's collection.
 *
 * @throws Error before `connectMongo`: a bug
 */
export function openedDatabase(): mongoose.mongo.Db {
  const { db } = mongoose.connection;
  if (!db) throw new Error('No database connection.');
  return db;
}
