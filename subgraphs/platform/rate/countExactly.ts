import { createHash } from 'node:crypto';
import type { PipelineStage } from 'mongoose';
import { isDuplicateKey, scoped } from '../installation/scoped.ts';
import type { RateNote, Window } from './Budget.ts';
import type { Charge } from './classRules.ts';
import { RateCountModel, type RateCountRecord } from './model.ts';

/** What came of an exact count. */
export interface Verdict {
  readonly admitted: boolean;
  readonly notes: readonly RateNote[];
}

/**
 * Counts one execution in every window of a charge, or in none if one of them is full: one atomic command, whoever else
 * counts at the same time. A window begins with the first execution in it.
 */
export async function countExactly(
  installationId: string,
  { windows, key }: Charge,
  nowMs: number,
): Promise<Verdict> {
  const names = windows.map(({ name }) => name);
  const _id = createHash('sha256')
    .update(JSON.stringify([installationId, names, key]))
    .digest('base64url');
  const record = await write(installationId, _id, stagesOf(windows, new Date(nowMs)));
  const notes = windows.map((window, index) => {
    const { count = 0, endsAt } = record.windows[index] ?? {};
    const leftMs = (endsAt?.getTime() ?? nowMs) - nowMs;
    return {
      ...window,
      remaining: Math.max(0, window.limit - count),
      resetSeconds: Math.ceil(leftMs / 1000),
    };
  });
  return { admitted: record.admitted, notes };
}

/** Two first executions at once both insert; one of them finds the other's record then. */
async function write(
  installationId: string,
  _id: string,
  stages: PipelineStage.Set[],
  attempt = 1,
): Promise<RateCountRecord> {
  try {
    const counts = scoped(RateCountModel, installationId);
    const record = await counts.findOneAndUpdate({ _id }, stages, { upsert: true });
    if (record) return record;
    throw new Error('An upsert answered no record.');
  } catch (error) {
    if (!isDuplicateKey(error) || attempt === 3) throw error;
    return write(installationId, _id, stages, attempt + 1);
  }
}

function stagesOf(windows: readonly Window[], now: Date): PipelineStage.Set[] {
  const current = windows.map(({ seconds }, index) => ({
    $cond: [
      { $gt: [{ $arrayElemAt: ['$windows.endsAt', index] }, now] },
      { $arrayElemAt: ['$windows', index] },
      { count: 0, endsAt: new Date(now.getTime() + seconds * 1000) },
    ],
  }));
  const haveRoom = windows.map(({ limit }, index) => ({
    $lt: [{ $arrayElemAt: ['$windows.count', index] }, limit],
  }));
  const counted = {
    $map: {
      input: '$windows',
      as: 'window',
      in: { count: { $add: ['$$window.count', 1] }, endsAt: '$$window.endsAt' },
    },
  };
  return [
    { $set: { windows: current } },
    { $set: { admitted: { $and: haveRoom } } },
    {
      $set: {
        windows: { $cond: ['$admitted', counted, '$windows'] },
        expiresAt: { $max: '$windows.endsAt' },
      },
    },
  ];
}
