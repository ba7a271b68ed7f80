import { setImmediate as turn } from 'node:timers/promises';
import type { ObjectChanged, ObjectDeleted } from '../../../../schema/events.ts';
import { consume } from '../../../platform/events/consume.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { describePage } from '../../engine/describePage.ts';
import { toPageAddress } from '../../engine/links/classifyLinks.ts';
import { bandsOf } from '../../engine/text/simHash.ts';
import { toAddressKey, toTextKey } from '../../engine/toKey.ts';
import { type ObjectType, ownedTypeOf } from '../object/ObjectRef.ts';
import { type SeoPage, SeoPageModel } from './model.ts';

type ObjectEvent = ObjectChanged | ObjectDeleted;
/** Data of a page in an event, without the information on broken links. */
type PageOfEvent = Omit<SeoPage, '_id' | 'installationId' | 'goneLinks'>;
type PageEvent = ObjectEvent & { readonly object: { readonly type: ObjectType } };

/** Maintains `seo_pages` from the events of listings, dealers and pages. */
export const keepPages = consume<ObjectEvent>({
  name: 'seo.pages',
  types: [
    'object.created',
    'object.updated',
    'object.published',
    'object.unpublished',
    'object.owner_changed',
    'object.deleted',
  ],
  async handle(events) {
    const ofPages = events.filter((event): event is PageEvent =>
      Object.hasOwn(ownedTypeOf, event.object.type),
    );
    for (const [installationId, own] of Map.groupBy(ofPages, (event) => event.installationId)) {
      // The last of several events of an object contains its complete state.
      const latest = new Map(own.map((event) => [event.object.id, event]));
      await indexPages(scoped(SeoPageModel, installationId), [...latest.values()]);
    }
  },
});

async function indexPages(index: ScopedCollection<SeoPage>, events: readonly PageEvent[]): Promise<void> {
  const stored = await index.find(
    { _id: { $in: events.map(({ object }) => object.id) } },
    { projection: { address: 1, contentVersion: 1 } },
  );
  const known = new Map(stored.map((page) => [page._id, page]));
  const newer = events.filter(({ object, contentVersion }) => {
    return (known.get(object.id)?.contentVersion ?? 0) <= contentVersion;
  });
  const pages: PageOfEvent[] = [];
  for (const event of newer) {
    pages.push(toPage(event));
    // Yields to the event loop, because a text takes up to a few milliseconds and a batch has up to two hundred.
    await turn();
  }
  const left = pages.flatMap(({ objectId, address }) => {
    const before = known.get(objectId)?.address;
    return before && before !== address ? [before] : [];
  });
  // Before the address is removed, so that an interrupted run finds it again.
  for (const address of left) {
    await index.updateMany({ links: address }, { $addToSet: { goneLinks: address } });
  }
  await index.upsertEach(
    pages.map((page) => ({
      _id: page.objectId,
      filter: { contentVersion: { $lte: page.contentVersion } },
      update: { $set: page },
    })),
  );
  const taken = pages.flatMap(({ objectId, address }) => {
    return address && known.get(objectId)?.address !== address ? [address] : [];
  });
  if (taken.length > 0)
    await index.updateMany({ goneLinks: { $in: taken } }, { $pullAll: { goneLinks: taken } });
}

/** Remaining data of a deleted object. */
const nothing = {
  languageTag: null,
  visibility: 'PRIVATE',
  url: null,
  slug: null,
  title: '',
  address: null,
  titleKey: null,
  fingerprint: null,
  bands: [],
  links: [],
} satisfies Partial<PageOfEvent>;

function toPage({ object, contentVersion, payload, at }: PageEvent): PageOfEvent {
  const base = { objectType: object.type, objectId: object.id, contentVersion, updatedAt: at };
  if (!payload) return { ...base, ...nothing, deleted: true };
  const { url, slug, languageTag, visibility, title, html } = payload;
  const address = url === null ? null : toPageAddress(url);
  const { fingerprint, links } = describePage(html, url);
  return {
    ...base,
    deleted: false,
    url,
    slug,
    languageTag,
    visibility,
    title,
    address: address && toAddressKey(address),
    titleKey: toTextKey(title),
    fingerprint,
    bands: fingerprint === null ? [] : bandsOf(fingerprint),
    links,
  };
}
