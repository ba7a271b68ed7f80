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
  /** The marketplace object that decides about rights and visibility: itself, or what a translation was made for. */
  readonly marketplaceObject: ObjectRef;
  /** Null while nothing was ever linked, translated or worked on; unless the owner was asked, only what readers need. */
  readonly record: TranslationHead | null;
  readonly owned: OwnedRecord;
  /** Who said `owned`, and is asked about the other members of its group. */
  readonly accessSource: AccessSource;
}

/**
 * The object that a reference names; null when neither its owner nor this subgraph knows it. Batched: any number of
 * objects costs one database command and one question to the owner.
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

/** The object that a record is about. */
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

/**
 * Code of the language an object is in: the known one, else the one that is taken for granted.
 */
export function languageOf(settings: LanguageSettings, object: TranslatableObject): string | null {
  return knownLanguageOf(settings, object) ?? assumedLanguageOf(settings, object.ref.type);
}

/**
 * Code of the stated language of an object: a created translation and a member of a group have the one they were
 * given. The text of a single object may have been rewritten in another one since, so its owner is believed.
 */
export function knownLanguageOf(
  settings: LanguageSettings,
  { record, owned }: TranslatableObject,
): string | null {
  if (record && (record.origin === 'created' || record.groupId !== null)) return record.language;
  return ownLanguageOf(settings, owned) ?? record?.language ?? null;
}

const digests = new WeakMap<object, ContentDigest>();

/** Digest of an object's present texts; null when they cannot be known (the object is gone or may not be read). */
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
