import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { isId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { CatalogListingModel, type CatalogListingRecord } from './model.ts';

const slugPattern = /^[a-z0-9-]{1,120}$/;

/** Published listings by id, batched per request; null for what is not published here. */
export function catalogLoader({
  installationId,
  platform,
}: RequestContext): DataLoader<string, CatalogListingRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('listing', id));
    const catalog = scoped(CatalogListingModel, installationId);
    const expiresAt = { $gt: new Date(platform.now()) };
    const records = known.length > 0 ? await catalog.find({ _id: { $in: known }, expiresAt }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

/** A published listing by id or slug. */
export async function findPublished(
  idOrSlug: string,
  context: RequestContext,
): Promise<CatalogListingRecord | null> {
  if (isId('listing', idOrSlug)) return context.loader(catalogLoader).load(idOrSlug);
  if (!slugPattern.test(idOrSlug)) return null;
  const expiresAt = { $gt: new Date(context.platform.now()) };
  return scoped(CatalogListingModel, context.installationId).findOne({ slug: idOrSlug, expiresAt });
}
