import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { DealerRecord } from '../../people/dealer/model.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { LedgerBalanceModel, type LedgerBalanceRecord } from './model.ts';

/** Parent of the resolvers of `DealerBalance`. */
export interface DealerBalanceParent {
  dealer: DealerRecord;
  balances: LedgerBalanceRecord[];
}

/** Maximum number of currencies of one dealer; few dealers have more than one. */
const mostCurrencies = 200;

export async function dealerBalance(dealerId: string, context: RequestContext): Promise<DealerBalanceParent> {
  const dealer = await context.loader(dealerLoader).load(dealerId);
  if (!dealer) throw notFound('The dealer');
  const balances = await scoped(LedgerBalanceModel, context.installationId).find(
    { dealerId },
    { sort: { currency: 1 }, limit: mostCurrencies },
  );
  return { dealer, balances };
}
