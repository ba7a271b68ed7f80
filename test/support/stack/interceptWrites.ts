import mongoose from 'mongoose';

/**
 * One write to the database: `write` as in `refunds.findOneAndUpdate`, and what it is called with. What becomes of it is
 * what `run` answers.
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
 * Puts something between this process and its database, in front of every write; `transaction.commit` is one, too. For
 * the whole process: another interception replaces it, and none takes it away.
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
