import mongoose from 'mongoose';
import { digestOf } from '../../subgraphs/platform/content/digestOf.ts';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { toLanguageEntries } from '../../subgraphs/translation/languages/language/toLanguageEntries.ts';
import { newRecord } from '../../subgraphs/translation/records/memberships/newRecord.ts';
import { type StoredTranslation, slotKeyOf, statuses } from '../../subgraphs/translation/records/model.ts';

/** Languages of the installation; English is what the objects are in. */
export const codes = ['en', 'de', 'fr', 'it', 'es', 'pt', 'nl', 'pl', 'ar', 'ja'] as const;

/** Number of texts of each listing, out of ten languages. */
const coverage = 6;
const batchSize = 2000;
const atOnce = 2;

/** Data with which an installation is filled. */
export interface Shop {
  readonly installationId: string;
  /** Listings that exist in the subgraph that owns them. */
  readonly listingIds: readonly string[];
}

type Stored = Record<string, unknown> & { _id: string };
const collectionOf = (name: string) => mongoose.connection.collection<Stored>(name);

/**
 * Configures ten languages, and fills the installation up to a number of published listings with copies of the
 * demonstration's.
 */
export async function fillListings(count: number): Promise<Shop> {
  const listings = collectionOf('listings');
  const own = await listings.find({ state: 'active' }).sort({ _id: 1 }).limit(count).toArray();
  const [first] = own;
  if (!first) throw new Error('The demonstration has no listing.');
  const copies = Array.from({ length: Math.max(0, count - own.length) }, (_, index) => {
    const { stockNumber: _stockNumber, outbox: _outbox, ...original } = own[index % own.length] as Stored;
    return { ...original, _id: newId('listing'), slug: `${String(original.slug)}-copy-${index}` };
  });
  if (copies.length > 0) await listings.insertMany(copies, { ordered: false });
  const installationId = String(first.installationId);
  await collectionOf('language_settings').updateOne({ _id: installationId }, {
    $set: { languages: toLanguageEntries(codes.map((code) => ({ code }))), defaultCode: 'en' },
    // A running product reads them again because the version differs.
    $inc: { version: 1 },
  } as object);
  const ids = [...own, ...copies].map(({ _id }) => _id);
  // Translations of the demonstration are recreated.
  for (const name of ['translations', 'relation_groups'])
    await collectionOf(name).deleteMany({ installationId });
  return { installationId, listingIds: ids };
}

/** Stores what the subgraph of the listings would have published about them, at URLs of the installation. */
export async function fillHeads({ installationId, listingIds }: Shop): Promise<void> {
  const listings = await collectionOf('listings')
    .find({ _id: { $in: [...listingIds] } })
    .project<{ _id: string; title: string; slug: string; languageTag: string }>({
      title: 1,
      slug: 1,
      languageTag: 1,
    })
    .toArray();
  const settings = await collectionOf('language_settings').findOne({ _id: installationId });
  const known = {
    installationId,
    objectType: 'listing',
    ownerId: null,
    visibility: 'PUBLIC',
    contentDigest: null,
    contentVersion: 1,
    deleted: false,
    updatedAt: new Date(),
  };
  const heads = collectionOf('translation_object_heads');
  await heads.deleteMany({ installationId });
  await heads.insertMany(
    listings.map(({ _id, title, slug, languageTag }) => {
      const url = `${String(settings?.baseUrl)}/listings/${slug}`;
      return { ...known, _id: `listing:${_id}`, objectId: _id, title, slug, languageTag, url };
    }),
  );
}

/** Creates a group for each listing, with texts in six of ten languages on average; returns the number of records. */
export async function fillGroups({ installationId, listingIds }: Shop): Promise<number> {
  const now = new Date();
  const groups = listingIds.map((listingId) => ({ listingId, groupId: newId('group') }));
  const records = groups.flatMap(({ listingId, groupId }, index) => {
    const place = { installationId, groupId, now };
    const others = codes.slice(1).filter((_, place) => (index * 7 + place * 3) % 10 < coverage);
    return [
      toRecord({ ...place, listingId, language: 'en', isSource: true, status: 'published' }),
      ...others.map((language) =>
        toRecord({ ...place, listingId, language, isSource: false, status: 'published' }),
      ),
    ];
  });
  const state = { installationId, objectType: 'listing', version: 1, closed: false, mergedInto: null };
  await collectionOf('relation_groups').insertMany(
    groups.map(({ groupId }) => ({ ...state, _id: groupId, createdAt: now, updatedAt: now })),
  );
  await collectionOf('translations').insertMany(records as unknown as Stored[], { ordered: false });
  return records.length;
}

/** Fills the work list up to a number of texts, in all languages and statuses, changed over a year. */
export async function fillWork({ installationId, listingIds }: Shop, total: number): Promise<void> {
  const translations = collectionOf('translations');
  let done = await translations.countDocuments({ installationId });
  const begun = Date.now();
  const work = async (): Promise<void> => {
    while (done < total) {
      const first = done;
      done = Math.min(total, first + batchSize);
      const records = Array.from({ length: done - first }, (_, place) => {
        const index = first + place;
        const now = new Date(begun - Math.floor(spread(index) * 365 * 24 * 3600 * 1000));
        return {
          ...toRecord({
            installationId,
            groupId: null,
            now,
            listingId: listingIds[index % listingIds.length] ?? '',
            language: codes[1 + (index % (codes.length - 1))] ?? 'de',
            isSource: false,
            status: statuses[Math.floor(spread(index + 0.5) * statuses.length)] ?? 'draft',
          }),
          outdated: index % 10 === 0,
          assigneeId: index % 20 === 0 ? `usr_${String(index % 300).padStart(26, '0')}` : null,
        };
      });
      await translations.insertMany(records, { ordered: false });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

interface Place {
  readonly installationId: string;
  readonly listingId: string;
  readonly groupId: string | null;
  readonly language: string;
  readonly isSource: boolean;
  readonly status: (typeof statuses)[number];
  readonly now: Date;
}

function toRecord(place: Place): StoredTranslation {
  const { installationId, listingId, groupId, language, isSource, status, now } = place;
  const id = newId('translation');
  const objectId = isSource ? listingId : id;
  const live = status === 'published';
  const fields = {
    title: `A car in ${language}`,
    description: `What is to be said of it in "${language}". `.repeat(8),
  };
  return {
    ...newRecord({ id, by: 'usr_bench', now }),
    installationId,
    objectType: 'listing',
    objectId,
    objectKey: `listing:${objectId}`,
    subjectId: listingId,
    ownerId: null,
    language,
    groupId,
    slotKey: slotKeyOf(id, groupId, language),
    isSource,
    origin: isSource ? 'linked' : 'created',
    status,
    liveSince: live ? now : null,
    publishedAt: live ? now : null,
    derivedFrom: null,
    contentDigest: isSource ? null : digestOf(fields),
    fields: isSource ? {} : fields,
    publishedFields: isSource || !live ? null : fields,
    history: [],
  };
}

/** Returns a pseudorandom number from 0 to 1 that is the same in every run. */
function spread(index: number): number {
  const value = Math.sin(index * 12.9898) * 43_758.5453;
  return value - Math.floor(value);
}
