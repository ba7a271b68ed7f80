import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { newUlid } from '../../../platform/ids/newUlid.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { AiChoices } from '../settings/model.ts';
import {
  AiMonthModel,
  AiSpendingModel,
  type Amount,
  type Reservation,
  type SpendingOutcome,
  type StoredMonth,
  type StoredSpending,
} from './model.ts';
import { monthOf } from './periods.ts';

/** Lifetime of a reservation in milliseconds; longer than any request may take. */
const lifetimeMs = 120_000;

/** Limits of the spending in a month. */
export type MonthCaps = Pick<AiChoices, 'monthlyCostCapMicros' | 'monthlyTokenCap'>;

/** A reserved amount. */
interface Reserved {
  readonly month: string;
  readonly reservation: Reservation;
}

/**
 * Reserves an amount by one write whose filter contains the caps, so that concurrent requests cannot exceed them
 * together.
 *
 * @throws AppError `seo_ai_budget_exceeded`
 */
export async function reserve(
  context: RequestContext,
  caps: MonthCaps,
  { micros, tokens, requestId, kinds }: Amount & Pick<Reservation, 'requestId' | 'kinds'>,
): Promise<Reserved> {
  const { platform, viewer } = context;
  const now = platform.now();
  const { name: month, resetsAt } = monthOf(now);
  const reservation: Reservation = {
    id: newUlid(),
    requestId,
    userId: viewer.id,
    kinds,
    micros,
    tokens,
    at: new Date(now),
    until: new Date(now + lifetimeMs),
  };
  const take = () =>
    monthsOf(context).findOneAndUpdate(
      {
        _id: monthId(context, month),
        committedMicros: { $lte: caps.monthlyCostCapMicros - micros },
        committedTokens: { $lte: caps.monthlyTokenCap - tokens },
      },
      { $inc: { committedMicros: micros, committedTokens: tokens }, $push: { pending: reservation } },
    );
  let taken = await take();
  if (!taken) {
    // This is also needed after a concurrent request has created the month: only the second refusal means that a cap is
    // reached.
    await beginMonth(context, month);
    taken = await take();
  }
  if (taken) {
    await writeOffLost(context, taken, now);
    return { month, reservation };
  }
  throw budgetExceeded('month', resetsAt, now);
}

/** Returns the error for a reached cap, with the time when it is reset. */
export function budgetExceeded(period: 'month' | 'day', resetsAt: Date, now: number): AppError {
  const whose = period === 'month' ? 'The budget of this month' : 'Your daily number of requests';
  return new AppError('seo_ai_budget_exceeded', `${whose} is used up.`, {
    period,
    resetsAt: resetsAt.toISOString(),
    retryAfter: Math.max(1, Math.ceil((resetsAt.getTime() - now) / 1000)),
  });
}

/**
 * Replaces the reserved amount by the actual cost. The ledger entry is written first. If the process crashes after it,
 * the reservation is resolved by that entry.
 */
export async function settle(
  context: InstallationContext,
  { month, reservation }: Reserved,
  actual: Amount & { outcome: SpendingOutcome },
): Promise<void> {
  const { id, requestId, userId, kinds, at } = reservation;
  const { micros, tokens, outcome } = actual;
  await ledgerOf(context).insertAbsent([
    { _id: id, month, requestId, userId, kinds: [...kinds], at, micros, tokens, outcome },
  ]);
  await monthsOf(context).findOneAndUpdate(
    { _id: monthId(context, month), 'pending.id': id },
    {
      $inc: {
        committedMicros: micros - reservation.micros,
        committedTokens: tokens - reservation.tokens,
      },
      $pull: { pending: { id } },
    },
  );
}

/** Returns the installation's months. */
export function monthsOf({
  installationId,
}: Pick<InstallationContext, 'installationId'>): ScopedCollection<StoredMonth> {
  return scoped(AiMonthModel, installationId);
}

export function monthId(
  { installationId }: Pick<InstallationContext, 'installationId'>,
  month: string,
): string {
  return `${installationId}:${month}`;
}

function ledgerOf({ installationId }: InstallationContext): ScopedCollection<StoredSpending> {
  return scoped(AiSpendingModel, installationId);
}

/** Creates the record of a month if there is none, and writes off lost reservations of the previous month. */
async function beginMonth(context: InstallationContext, month: string): Promise<void> {
  const months = monthsOf(context);
  const _id = monthId(context, month);
  if (await months.findOne({ _id }, { projection: { _id: 1 } })) return;
  await months.insertAbsent([{ _id, month, committedMicros: 0, committedTokens: 0, pending: [] }]);
  const [before] = await months.find({ month: { $lt: month } }, { sort: { month: -1 }, limit: 1 });
  if (before) await writeOffLost(context, before, context.platform.now());
}

/** Resolves the reservation of a crashed process: by its ledger entry if there is one, otherwise by its estimate. */
async function writeOffLost(
  context: InstallationContext,
  { month, pending }: StoredMonth,
  now: number,
): Promise<void> {
  const lost = pending.filter(({ until }) => until.getTime() < now);
  if (lost.length === 0) return;
  const rows = await ledgerOf(context).find({ _id: { $in: lost.map(({ id }) => id) } });
  const known = new Map(rows.map((row) => [row._id, row]));
  for (const reservation of lost) {
    const { micros, tokens } = reservation;
    await settle(
      context,
      { month, reservation },
      known.get(reservation.id) ?? { micros, tokens, outcome: 'lost' },
    );
  }
}
