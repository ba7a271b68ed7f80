import type { ClientSession } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { notFound } from '../../../platform/errors/AppError.ts';
import { reads, scoped } from '../../../platform/installation/scoped.ts';
import { assertMayChange } from '../../kernel/dealer-standing/assertMayChange.ts';
import { DealerModel } from '../../people/dealer/model.ts';
import { CategoryModel } from '../category/model.ts';
import type { Stock } from './decideStock.ts';

/**
 * Loads a dealer and all categories of its installation in a transaction. A feed can name any category, and there are
 * few.
 *
 * @throws AppError `not_found`, `dealer_not_active`
 */
export async function loadStock(
  context: Pick<RequestContext, 'platform' | 'installation'>,
  dealerId: string,
  session: ClientSession,
): Promise<Stock> {
  const { id } = context.installation;
  const dealer = await reads(DealerModel, id).findOne({ _id: dealerId }, { session });
  if (!dealer) throw notFound('The dealer');
  assertMayChange(dealer);
  const found = await scoped(CategoryModel, id).find({}, { session });
  const categories = new Map(
    found.flatMap((category) => [category._id, category.slug].map((key) => [key, category])),
  );
  return { context, dealer, categories };
}
