import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import type { QuerydealerLedgerEntriesArgs } from '../../identity.generated.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { LedgerTransactionModel, type LedgerTransactionRecord } from './model.ts';

const longestId = 100;

export async function dealerLedgerEntries(
  args: QuerydealerLedgerEntriesArgs,
  context: RequestContext,
): Promise<Connection<LedgerTransactionRecord>> {
  const filter = toFilter(args);
  if (!(await context.loader(dealerLoader).load(args.dealerId))) throw notFound('The dealer');
  return findPage({
    context,
    collection: scoped(LedgerTransactionModel, context.installationId),
    filter,
    sort: [{ key: 'at', direction: -1 }],
    first: args.first,
    after: args.after,
  });
}

function toFilter(args: QuerydealerLedgerEntriesArgs): QueryFilter<LedgerTransactionRecord> {
  const { dealerId, paymentId, payoutId, kind, from, to } = args;
  for (const [name, id] of Object.entries({ paymentId, payoutId })) {
    if ((id?.length ?? 0) > longestId)
      throw new AppError('malformed_request', `"${name}" must have at most ${longestId} characters.`);
  }
  if (from && to && from >= to) throw new AppError('malformed_request', '"from" must be before "to".');
  const conditions: QueryFilter<LedgerTransactionRecord>[] = [{ dealerId }];
  if (paymentId) conditions.push({ paymentId });
  if (payoutId) conditions.push({ payoutId });
  if (kind) conditions.push({ kind: { $in: kind } });
  if (from) conditions.push({ at: { $gte: from } });
  if (to) conditions.push({ at: { $lt: to } });
  return { $and: conditions };
}
