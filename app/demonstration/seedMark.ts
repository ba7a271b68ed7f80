import mongoose from 'mongoose';

/** A part of the demonstration, and the id of the mark that records that it is complete. */
const marks = { stock: 'demonstration', samples: 'demonstration-samples' } as const;

/** Part of the demonstration that is created once. */
export type SeedPart = keyof typeof marks;

/**
 * Returns whether an earlier start completed a part of the demonstration. `leases` is global, because the mark belongs
 * to no installation.
 */
export async function isSeeded(part: SeedPart): Promise<boolean> {
  return (await collection().findOne({ _id: marks[part] })) !== null;
}

/** Marks a part of the demonstration as complete. */
export async function markSeeded(part: SeedPart, at: Date): Promise<void> {
  await collection().updateOne({ _id: marks[part] }, { $set: { completedAt: at } }, { upsert: true });
}

function collection() {
  return mongoose.connection.collection<{ _id: string; completedAt: Date }>('leases');
}
