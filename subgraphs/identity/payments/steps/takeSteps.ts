import type { ClientSession, Model, UpdateQuery } from 'mongoose';
import type { EventType } from '../../../../schema/events.ts';
import { announce, type RecordWithOutbox } from '../../../platform/events/outbox.ts';
import { type ScopedRecord, scoped } from '../../../platform/installation/scoped.ts';
import { inLedgerTransaction } from '../ledger/inLedgerTransaction.ts';
import type { MoneyContext } from '../ledger/MoneyContext.ts';
import { type NewTransaction, postTransaction } from '../ledger/postTransaction.ts';
import { ProviderFailure } from '../payment-provider/ProviderFailure.ts';

/** A record with a state machine and an amount of money. */
interface MoneyRecord extends ScopedRecord, RecordWithOutbox {
  state: string;
  dealerId: string | null;
  version: number;
}

/** One change of a record. */
export interface Step<R> {
  readonly changes: Partial<R>;
  /**
   * Failure of the request to the provider. If the provider repeats the error for its key, the next request uses a new
   * key.
   */
  readonly failure?: ProviderFailure;
  /** Transactions of the ledger that are committed with the change. */
  readonly post?: readonly NewTransaction[];
  /** Further writes in the transaction of the change. */
  readonly also?: (session: ClientSession) => Promise<unknown>;
  /** Whether the step of the new state follows immediately. */
  readonly goesOn?: boolean;
}

/** Finds the next step of a record; it sends at most one request that changes something at the provider. */
type FindStep<R> = (scope: MoneyContext, record: R) => Step<R> | Promise<Step<R>>;

/** The steps of one kind of record. */
export interface Steps<R extends MoneyRecord> {
  readonly model: Model<R>;
  /** Event that is published when a record enters a state; absent if records publish nothing themselves. */
  readonly events?: Readonly<Record<R['state'], EventType>>;
  /** Steps by state; null if nothing is to be done. */
  readonly next: Readonly<Record<R['state'], FindStep<R> | null>>;
  /** The step after the provider has not carried out the request; absent if no provider is used. */
  readonly afterFailure?: (
    scope: MoneyContext,
    record: R,
    failure: ProviderFailure,
  ) => Step<R> | Promise<Step<R>>;
}

/**
 * Runs all steps of a record that are due. Each step is conditional on the stored version, so it can be interrupted and
 * repeated. Idempotency keys of requests to the provider are derived from the record.
 *
 * @param first step to run before the others
 * @returns the record after the steps, also if another process has changed it
 */
export async function takeSteps<R extends MoneyRecord>(
  steps: Steps<R>,
  scope: MoneyContext,
  record: R,
  first?: Step<R>,
): Promise<R> {
  const step = first ?? (await findStep(steps, scope, record));
  if (!step) return record;
  const changed = await commit(steps, scope, record, step);
  if (!changed) return reread(steps, scope, record);
  return step.goesOn ? takeSteps(steps, scope, changed) : changed;
}

async function findStep<R extends MoneyRecord>(
  { next, afterFailure }: Steps<R>,
  scope: MoneyContext,
  record: R,
): Promise<Step<R> | null> {
  try {
    return (await next[record.state as R['state']]?.(scope, record)) ?? null;
  } catch (error) {
    if (!(error instanceof ProviderFailure) || !afterFailure) throw error;
    return afterFailure(scope, record, error);
  }
}

/** Stores the record with its ledger transactions; null if another process has changed it. */
function commit<R extends MoneyRecord>(
  steps: Steps<R>,
  scope: MoneyContext,
  record: R,
  { changes, failure, post = [], also }: Step<R>,
): Promise<R | null> {
  const { _id, state, version } = record;
  const change = (session?: ClientSession) =>
    scoped(steps.model, scope.installationId).findOneAndUpdate(
      { _id, state, version },
      toUpdate(steps, scope, record, changes, failure),
      { session },
    );
  if (post.length === 0 && !also) return change();
  return inLedgerTransaction(record.dealerId, async (session) => {
    const changed = await change(session);
    if (!changed) return null;
    for (const transaction of post) await postTransaction(scope, transaction, session);
    await also?.(session);
    return changed;
  });
}

/** Returns the update for a change, including the event of a new state. */
export function toUpdate<R extends MoneyRecord>(
  { events }: Steps<R>,
  { platform }: Pick<MoneyContext, 'platform'>,
  before: Pick<R, 'state'>,
  changes: Partial<R>,
  failure?: ProviderFailure,
): UpdateQuery<R> {
  const state: R['state'] = changes.state ?? before.state;
  const isNew = state !== before.state;
  return {
    $set: { ...changes, updatedAt: new Date(platform.now()) },
    $inc: { version: 1, ...(failure?.isKept && { tries: 1 }) },
    ...(isNew && events && { $push: announce({ platform }, events[state], { data: { state } }) }),
  };
}

async function reread<R extends MoneyRecord>(
  { model }: Steps<R>,
  { installationId }: MoneyContext,
  { _id }: R,
): Promise<R> {
  const found = await scoped(model, installationId).findOne({ _id });
  if (!found) throw new Error(`The record ${_id} no longer exists.`);
  return found;
}
