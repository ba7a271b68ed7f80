import type { OwnedRecord } from '../../platform/federation/askOwner.ts';
import type { LanguageSettings } from '../languages/language/languageSettings.ts';
import { type AccessSource, isPublic } from '../objects/marketplaceObject.ts';
import type { ObjectRef } from '../objects/ObjectRef.ts';
import type { Status, TranslationHead, TranslationTexts } from './model.ts';
import { languageOf, type TranslatableObject } from './TranslatableObject.ts';

/** The published texts, or the work of editors. */
export type View = 'public' | 'editorial';

/** An object in one language, as its resolvers see it: plain data, so that a payload of it can be stored. */
export interface TranslationParent {
  readonly ref: ObjectRef;
  readonly marketplaceObject: ObjectRef;
  /** Code of its language; null while it is unknown. */
  readonly code: string | null;
  readonly record: (TranslationHead & Partial<TranslationTexts>) | null;
  /** Whether its texts are left out. */
  readonly omitFields?: boolean;
  /** Default view of its texts. */
  readonly view: View;
  /** Source that determines whether readers see it; its owner by default. */
  readonly accessSource?: AccessSource;
}

/** Converts an object for resolvers. */
export function toTranslationParent(
  settings: LanguageSettings,
  object: TranslatableObject,
  view: View,
): TranslationParent {
  const { ref, marketplaceObject, record, accessSource } = object;
  return { ref, marketplaceObject, code: languageOf(settings, object), record, view, accessSource };
}

/** Converts a record that was just written for resolvers. */
export function fromRecord(
  record: TranslationHead & Partial<TranslationTexts>,
  view: View = 'editorial',
): TranslationParent {
  const { objectType: type, objectId, subjectId, language } = record;
  return {
    ref: { type, id: objectId },
    marketplaceObject: { type, id: subjectId },
    code: language,
    record,
    view,
  };
}

/**
 * Returns whether an object is a source. A single object is its own source, unless its texts were translated from
 * another one.
 */
export function isSource({ record }: Pick<TranslationParent, 'record'>): boolean {
  if (record === null) return true;
  return record.groupId === null ? record.origin === 'linked' : record.isSource;
}

/** Returns whether the object's own subgraph controls its lifecycle, so that no status can be set here. */
export function isLinkedSource({ record }: Pick<TranslationParent, 'record'>): boolean {
  return record === null || (record.origin === 'linked' && record.groupId !== null && record.isSource);
}

/** Returns whether readers see it. Texts of non-public objects are never readable, regardless of their status. */
export function isLive(translation: Pick<TranslationParent, 'record'>, owned: OwnedRecord): boolean {
  if (!isPublic(owned) || (translation.record?.objectGoneAt ?? null) !== null) return false;
  return isLinkedSource(translation) || (translation.record?.liveSince ?? null) !== null;
}

/** Returns the status; that of a linked source follows its object. */
export function statusOf(translation: Pick<TranslationParent, 'record'>, owned: OwnedRecord): Status {
  if (translation.record === null || isLinkedSource(translation))
    return isPublic(owned) ? 'published' : 'draft';
  return translation.record.status;
}
