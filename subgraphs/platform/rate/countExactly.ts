import { createHash } from 'node:crypto';
import type { PipelineStage } from 'mongoose';
import type { RateNote, Window } from '../context/Budget.ts';
import { repeatUpsert } from '../installation/repeatUpsert.ts';
import { scoped } from '../installation/scoped.ts';
import type { Charge } from './classRules.ts';
import { RateCountModel } from './model.ts';

/** Result of an exact count. */
export interface Verdict {
  readonly admitted: boolean;
  readonly notes: readonly RateNote[];
}

/**
 * Counts one execution in every window of a charge, or in none if one of them is full. It is one atomic command, safe
 * for concurrent counts. A window starts with the first execution in it.
 */
export async function countExactly(
  installationId: string,
  { windows, key, cost = 1 }: Charge,
  nowMs: number,
): Promise<Verdict> {
  const names = windows.map(({ name }) => name);
  const _id = createHash('sha256')
    .update(JSON.stringify([installationId, names, key]))
    .digest('base64url');
  const counts = scoped(RateCountModel, installationId);
  const stages = stagesOf(windows, cost, new Date(nowMs));
  const record = await repeatUpsert(() => counts.findOneAndUpdate({ _id }, stages, { upsert: true }));
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

function stagesOf(windows: readonly Window[], cost: number, now: Date): PipelineStage.Set[] {
  const current = windows.map(({ seconds }, index) => ({
    $cond: [
      { $gt: [{ $arrayElemAt: ['$windows.endsAt', index] }, now] },
      { $arrayElemAt: ['$windows', index] },
      { count: 0, endsAt: new Date(now.getTime() + seconds * 1000) },
    ],
  }));
  const haveRoom = windows.map(({ limit }, index) => ({
    $lte: [{ $add: [{ $arrayElemAt: ['$windows.count', index] }, cost] }, limit],
  }));
  const counted = {
    $map: {
      input: '$windows',
      as: 'window',
      in: { count: { $add: ['$$window.count', cost] }, endsAt: '$$window.endsAt' },
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
