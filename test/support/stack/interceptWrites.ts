import mongoose from 'mongoose';

/**
 * Intercepts one write to the database: `write` as in `refunds.findOneAndUpdate`, with its arguments. `run` executes the
 * write.
 */
export type Intercept = (
  write: string,
  run: () => Promise<unknown>,
  args: readonly unknown[],
) => Promise<unknown>;

const methods = [
  'insertOne',
  'insertMany',
  'findOneAndUpdate',
  'updateOne',
  'updateMany',
  'deleteMany',
  'bulkWrite',
];

/**
 * Intercepts every write of this process, including `transaction.commit`. A later call replaces the interception, and null
 * removes it.
 */
export function interceptWrites(intercept: Intercept | null): void {
  current = intercept;
  if (isInstalled) return;
  isInstalled = true;
  const prototype = mongoose.mongo.Collection.prototype as unknown as Record<string, Method>;
  for (const method of methods) {
    const original = prototype[method] as Method;
    prototype[method] = function (this: { collectionName: string }, ...args: unknown[]) {
      const run = () => original.apply(this, args);
      return current ? current(`${this.collectionName}.${method}`, run, args) : run();
    };
  }
  const sessions = mongoose.mongo.ClientSession.prototype as unknown as Record<string, Method>;
  const commit = sessions.commitTransaction as Method;
  sessions.commitTransaction = function (...args) {
    const run = () => commit.apply(this, args);
    return current ? current('transaction.commit', run, []) : run();
  };
}

type Method = (...args: unknown[]) => Promise<unknown>;

let current: Intercept | null = null;
let isInstalled = false;
