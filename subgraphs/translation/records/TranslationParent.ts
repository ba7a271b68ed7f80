import type { OwnedRecord } from '../../platform/federation/askOwner.ts';
import type { LanguageSettings } from '../languages/language/languageSettings.ts';
import { type AccessSource, isPublic } from '../objects/marketplaceObject.ts';
import type { ObjectRef } from '../objects/ObjectRef.ts';
import type { Status, TranslationHead, TranslationTexts } from './model.ts';
import { languageOf, type TranslatableObject } from './TranslatableObject.ts';

/** What readers get, or what editors work on. */
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
  /** Which texts it shows unless asked otherwise. */
  readonly view: View;
  /** Who says whether readers see it; its owner unless stated. */
  readonly accessSource?: AccessSource;
}

/** An object as the outside sees it. */
export function toTranslationParent(
  settings: LanguageSettings,
  object: TranslatableObject,
  view: View,
): TranslationParent {
  const { ref, marketplaceObject, record, accessSource } = object;
  return { ref, marketplaceObject, code: languageOf(settings, object), record, view, accessSource };
}

/** A record that was just written, as the outside sees it. */
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

/** An object alone is its own source, unless its words were written for another one. */
export function isSource({ record }: Pick<TranslationParent, 'record'>): boolean {
  if (record === null) return true;
  return record.groupId === null ? record.origin === 'linked' : record.isSource;
}

/** Whether the life of an object is that of its own subgraph, so that no status can be set here. */
export function isLinkedSource({ record }: Pick<TranslationParent, 'record'>): boolean {
  return record === null || (record.origin === 'linked' && record.groupId !== null && record.isSource);
}

/** Whether readers see it: texts of objects that are not public are never readable, whatever their status. */
export function isLive(translation: Pick<TranslationParent, 'record'>, owned: OwnedRecord): boolean {
  if (!isPublic(owned) || (translation.record?.objectGoneAt ?? null) !== null) return false;
  return isLinkedSource(translation) || (translation.record?.liveSince ?? null) !== null;
}

/** The status; that of a linked source follows its object. */
export function statusOf(translation: Pick<TranslationParent, 'record'>, owned: OwnedRecord): Status {
  if (translation.record === null || isLinkedSource(translation))
    return isPublic(owned) ? 'published' : 'draft';
  return translation.record.status;
}
