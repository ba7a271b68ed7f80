import mongoose from 'mongoose';

const markId = 'demonstration';

/**
 * Returns whether an earlier start completed the demonstration. `leases` is global, because the mark belongs to no
 * installation.
 */
export async function isSeeded(): Promise<boolean> {
  return (await marks().findOne({ _id: markId })) !== null;
}

/** Marks the demonstration as complete. */
export async function markSeeded(at: Date): Promise<void> {
  await marks().updateOne({ _id: markId }, { $set: { completedAt: at } }, { upsert: true });
}

function marks() {
  return mongoose.connection.collection<{ _id: string; completedAt: Date }>('leases');
}
