import mongoose from 'mongoose';

/** A collection without its model, because the world needs states that no use case creates. */
export function collection(
  name: string,
): mongoose.mongo.Collection<{ _id: string; [member: string]: unknown }> {
  return mongoose.connection.collection(name);
}
