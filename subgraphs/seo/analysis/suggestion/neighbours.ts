import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { LinkTarget, Neighbours } from '../../engine/suggestions/Draft.ts';
import type { SuggestionKind } from '../../engine/suggestions/SuggestionKind.ts';
import type { ObjectRef } from '../../pages/object/ObjectRef.ts';
import { recordsOf } from '../../pages/record/records.ts';
import { SeoPageModel } from '../../pages/site-index/model.ts';

const ofOthers: ReadonlySet<SuggestionKind> = new Set(['keyphrase', 'slug', 'internal_links']);
/** Maximum number of objects with a keyphrase in the language, and of pages, to read. */
const mostRecords = 1000;
const mostPages = 500;

/**
 * Loads the data of the installation that suggestions need, in at most three commands: used keyphrases and URLs, and
 * published objects for links. No owner is queried, because suggestions name only public objects.
 *
 * @param self object that the suggestions are for
 */
export async function loadNeighbours(
  context: RequestContext,
  kinds: readonly SuggestionKind[],
  { self, locale }: { self: ObjectRef | null; locale: string | null },
): Promise<Neighbours> {
  const siteName = context.installation.name;
  if (!locale || !kinds.some((kind) => ofOthers.has(kind)))
    return { siteName, usedKeyphrases: [], usedSlugs: [], targets: [] };
  const all = reads(SeoPageModel, context.installationId);
  const shown = { objectType: 1, objectId: 1, url: 1, slug: 1, title: 1, languageTag: 1 } as const;
  const live = { visibility: 'PUBLIC', deleted: false } as const;
  const [records, pages] = await Promise.all([
    recordsOf(context).find(
      { locale, keyphrase: { $gt: '' } },
      {
        projection: { objectType: 1, objectId: 1, keyphrase: 1, slug: 1, noindex: 1 },
        sort: { keyphrase: 1 },
        limit: mostRecords,
      },
    ),
    all.find({ objectType: 'page', ...live }, { projection: shown, sort: { _id: 1 }, limit: mostPages }),
  ]);
  const others = records.filter(({ objectId }) => objectId !== self?.id);
  const found = await all.find(
    { _id: { $in: others.map(({ objectId }) => objectId) }, ...live },
    { projection: shown, sort: { _id: 1 } },
  );
  const recordOf = new Map(others.map((record) => [record.objectId, record]));
  const published = new Map([...pages, ...found].map((page) => [page._id, page]));
  const targets = [...published.values()].flatMap(({ objectType, objectId, url, title, languageTag }) => {
    const record = recordOf.get(objectId);
    if (!url || objectId === self?.id || record?.noindex || (languageTag && languageTag !== locale))
      return [];
    const phrase = record?.keyphrase ?? title;
    return [{ type: objectType, id: objectId, url, title, phrase } satisfies LinkTarget];
  });
  return {
    siteName,
    usedKeyphrases: others.flatMap(({ keyphrase }) => (keyphrase ? [keyphrase.toLowerCase()] : [])),
    usedSlugs: [
      ...others.flatMap(({ slug }) => slug ?? []),
      ...pages.flatMap(({ objectId, slug }) => (slug && objectId !== self?.id ? [slug] : [])),
    ],
    targets,
  };
}
