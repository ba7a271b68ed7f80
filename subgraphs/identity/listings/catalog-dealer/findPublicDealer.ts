import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import { DealerModel, type DealerRecord } from '../../people/dealer/model.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';

const slugPattern = /^[a-z0-9-]{1,60}$/;

/** Members of a dealer's public page. */
export type CatalogDealerParent = DealerRecord;

/** Returns an active dealer by id, slug or a former slug. Other dealers are not public. */
export async function findPublicDealer(
  idOrSlug: string,
  context: RequestContext,
): Promise<CatalogDealerParent | null> {
  const dealer = await find(idOrSlug, context);
  return dealer?.state === 'active' ? dealer : null;
}

async function find(idOrSlug: string, context: RequestContext): Promise<DealerRecord | null> {
  if (isId('dealer', idOrSlug)) return context.loader(dealerLoader).load(idOrSlug);
  if (!slugPattern.test(idOrSlug)) return null;
  return reads(DealerModel, context.installationId).findOne({ slugs: idOrSlug });
}
