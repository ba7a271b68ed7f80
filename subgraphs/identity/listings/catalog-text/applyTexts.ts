import { isDeepStrictEqual } from 'node:util';
import { scoped } from '../../../platform/installation/scoped.ts';
import { CatalogListingModel, type CatalogText } from '../catalog/public-listing/model.ts';
import { CatalogTextModel, type CatalogTextRecord } from './model.ts';

/** Public copies of a command. */
const copiesAtOnce = 200;

/** Updates the translated texts of public copies from the stored texts. */
export async function applyTexts(installationId: string, listingIds: readonly string[]): Promise<void> {
  const ids = [...new Set(listingIds)];
  for (let start = 0; start < ids.length; start += copiesAtOnce)
    await applySome(installationId, ids.slice(start, start + copiesAtOnce));
}

async function applySome(installationId: string, ids: string[]): Promise<void> {
  const copies = scoped(CatalogListingModel, installationId);
  const [held, texts] = await Promise.all([
    copies.find({ _id: { $in: ids } }, { projection: { translations: 1 } }),
    scoped(CatalogTextModel, installationId).find(
      { objectIds: { $in: ids } },
      { sort: { languageTag: 1, _id: 1 } },
    ),
  ]);
  if (held.length === 0) return;
  const subjects = await findPublic(installationId, texts);
  const byListing = new Map<string, CatalogText[]>();
  for (const { subjectId, objectIds, languageTag, title, description } of texts) {
    if (!subjects.has(subjectId)) continue;
    for (const id of objectIds) {
      const others = byListing.get(id) ?? [];
      byListing.set(id, [...others, { languageTag, title, description }]);
    }
  }
  const writes = held.flatMap(({ _id, translations: before = [] }) => {
    const translations = byListing.get(_id) ?? [];
    if (isDeepStrictEqual([...before], translations)) return [];
    return [{ filter: { _id }, update: { $set: { translations } } }];
  });
  await copies.writeEach(writes);
}

/** Returns the public listings that texts belong to. */
async function findPublic(
  installationId: string,
  texts: readonly CatalogTextRecord[],
): Promise<ReadonlySet<string>> {
  if (texts.length === 0) return new Set();
  const found = await scoped(CatalogListingModel, installationId).find(
    { _id: { $in: [...new Set(texts.map(({ subjectId }) => subjectId))] }, withdrawn: false },
    { projection: { _id: 1 } },
  );
  return new Set(found.map(({ _id }) => _id));
}
