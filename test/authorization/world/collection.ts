import mongoose from 'mongoose';

/** A collection past every model: the world needs states that no use case makes. */
export function collection(
  name: string,
): mongoose.mongo.Collection<{ _id: string; [member: string]: unknown }> {
  return mongoose.connection.collection(name);
}
