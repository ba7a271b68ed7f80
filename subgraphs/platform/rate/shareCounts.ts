import { createHash } from 'node:crypto';
import { scoped } from '../installation/scoped.ts';
import { type Counter, type MemoryCounters, windowMs } from './MemoryCounters.ts';
import { SharedCountModel } from './model.ts';

/**
 * Fraction of its budget from which a counter is shared. Most callers never reach it, and cost nothing. A caller who
 * spreads requests over several processes gets at most this fraction more from each of them.
 */
const worthTelling = 1 / 20;
/** Number of counters in one command. */
const batchSize = 1000;

/**
 * Sends the counts since the last time to the other processes, and reads theirs. This is two commands for each
 * installation with counts, and none otherwise.
 */
export async function shareCounts(counters: MemoryCounters): Promise<void> {
  const { minute } = counters;
  const due = [...counters.all()].filter(isDue);
  for (const [installationId, ofOne] of Map.groupBy(due, (counter) => counter.installationId)) {
    for (let start = 0; start < ofOne.length; start += batchSize)
      await share(installationId, ofOne.slice(start, start + batchSize), minute);
  }
}

function isDue({ own, told, window }: Counter): boolean {
  return own > told && own >= window.limit * worthTelling;
}

async function share(installationId: string, counters: readonly Counter[], minute: number): Promise<void> {
  const shared = scoped(SharedCountModel, installationId);
  // Longer than a minute to allow for clock skew between processes.
  const expiresAt = new Date((minute + 2) * windowMs);
  const byId = new Map(counters.map((counter) => [idOf(counter, minute), counter]));
  const news = [...byId].map(([_id, counter]) => ({ _id, counter, own: counter.own }));
  const failed = await shared.upsertEach(
    news.map(({ _id, counter, own }) => ({
      _id,
      update: { $inc: { count: own - counter.told }, $setOnInsert: { expiresAt } },
    })),
  );
  for (const [index, { counter, own }] of news.entries()) if (!failed.has(index)) counter.told = own;
  for (const { _id, count } of await shared.find({ _id: { $in: [...byId.keys()] } })) {
    const counter = byId.get(_id);
    if (counter) counter.others = Math.max(counter.others, count - counter.told);
  }
}

function idOf({ installationId, window, key }: Counter, minute: number): string {
  return createHash('sha256')
    .update(JSON.stringify([installationId, window.name, key, minute]))
    .digest('base64url');
}
