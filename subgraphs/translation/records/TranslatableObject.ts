import { type ContentDigest, digestOf } from '../../platform/content/digestOf.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import type { OwnedRecord } from '../../platform/federation/askOwner.ts';
import type { LanguageSettings } from '../languages/language/languageSettings.ts';
import { toTexts } from '../objects/contentDigest.ts';
import {
  type AccessSource,
  asksOwner,
  assumedLanguageOf,
  loadMarketplaceObject,
  ownLanguageOf,
} from '../objects/marketplaceObject.ts';
import { isCreatedId, isObjectId, type ObjectRef, objectKeyOf } from '../objects/ObjectRef.ts';
import { loadByObjectKey, loadForReader } from './loaders.ts';
import type { TranslationHead } from './model.ts';

/** An object with what this subgraph and its owner know of it. */
export interface TranslatableObject {
  readonly ref: ObjectRef;
  readonly key: string;
  /**
   * The marketplace object that determines access and visibility: the object itself, or the source of a translation.
   */
  readonly marketplaceObject: ObjectRef;
  /**
   * Record; null before the object was linked, translated or edited. Unless the owner was queried, it contains only
   * what readers need.
   */
  readonly record: TranslationHead | null;
  readonly owned: OwnedRecord;
  /** Source of `owned`, which is also used for the other members of its group. */
  readonly accessSource: AccessSource;
}

/**
 * Returns the object of a reference; null if neither its owner nor this subgraph knows it. Batched: any number of
 * objects costs one database command and one query to the owner.
 */
export async function findObject(
  context: RequestContext,
  ref: ObjectRef,
  accessSource: AccessSource = 'ownerTexts',
): Promise<TranslatableObject | null> {
  if (!isObjectId(ref)) return null;
  const key = objectKeyOf(ref);
  const load = asksOwner(accessSource) || accessSource === 'knownHead' ? loadByObjectKey : loadForReader;
  if (isCreatedId(ref.id)) {
    const record = await load(context, key);
    return record ? objectOfRecord(context, record, accessSource) : null;
  }
  const [record, owned] = await Promise.all([
    load(context, key),
    loadMarketplaceObject(context, ref, accessSource),
  ]);
  return record || owned.exists ? { ref, key, marketplaceObject: ref, record, owned, accessSource } : null;
}

/** Returns the object of a record. */
export async function objectOfRecord(
  context: RequestContext,
  record: TranslationHead,
  accessSource: AccessSource = 'ownerTexts',
): Promise<TranslatableObject> {
  const { objectType: type, objectId: id, objectKey: key } = record;
  const marketplaceObject = { type, id: record.subjectId };
  const owned = await loadMarketplaceObject(context, marketplaceObject, accessSource);
  return { ref: { type, id }, key, marketplaceObject, record, owned, accessSource };
}

/** Returns the code of an object's language: the known one, otherwise the assumed one. */
export function languageOf(settings: LanguageSettings, object: TranslatableObject): string | null {
  return knownLanguageOf(settings, object) ?? assumedLanguageOf(settings, object.ref.type);
}

/**
 * Returns the code of the stated language of an object. A created translation and a group member have an assigned
 * language. The text of a single object may have been rewritten in another language, so its owner's statement is used.
 */
export function knownLanguageOf(
  settings: LanguageSettings,
  { record, owned }: TranslatableObject,
): string | null {
  if (record && (record.origin === 'created' || record.groupId !== null)) return record.language;
  return ownLanguageOf(settings, owned) ?? record?.language ?? null;
}

const digests = new WeakMap<object, ContentDigest>();

/**
 * Returns the digest of an object's current texts; null if they are unavailable (the object is deleted or not
 * readable).
 */
export function currentDigestOf({
  record,
  owned,
  ref,
  accessSource,
}: Pick<TranslatableObject, 'record' | 'owned' | 'ref' | 'accessSource'>): ContentDigest | null {
  if (record?.origin === 'created') return record.contentDigest;
  if (accessSource === 'ownerAccess') throw new Error('The texts of this object were not read.');
  if (!owned.content) return null;
  let digest = digests.get(owned.content);
  if (!digest) {
    digest = digestOf(toTexts(ref.type, owned.content.fields));
    digests.set(owned.content, digest);
  }
  return digest;
}
