import { ownershipRequired } from '../../platform/auth/ownership.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { assertMayWrite } from '../../platform/federation/askOwner.ts';
import type { Viewer } from '../../platform/principal/Viewer.ts';
import type { Memberships } from './memberships/memberships.ts';
import type { TranslationHead } from './model.ts';
import type { TranslatableObject } from './TranslatableObject.ts';

/** The permissions of interface C that reach objects. */
export type TranslationPermission = 'translations:read' | 'translations:contribute' | 'translations:manage';

/** Codes for an object that is not there. */
export type MissingCode = 'object_not_found' | 'related_object_not_found' | 'translation_not_found';

/** Whether a permission reaches an object: yes, it does not exist, or it has another owner. */
export type Reach = 'yes' | 'missing' | 'foreign';

/**
 * Returns the access of a permission's breadth to an object. `any` reaches every object that its owner lets the caller
 * read, and the remains of deleted ones. `own` reaches what the caller may edit.
 */
export function reachOf(
  { owned, record }: Pick<TranslatableObject, 'owned' | 'record'>,
  breadth: 'any' | 'own' | null,
): Reach {
  if (breadth === null) return 'foreign';
  if (!owned.exists) return breadth === 'any' && record !== null ? 'yes' : 'missing';
  return (breadth === 'any' ? owned.viewerCanRead : owned.viewerCanEdit) ? 'yes' : 'foreign';
}

/**
 * Admits a caller to an object; the field's guard has already checked the permission.
 *
 * @throws AppError the given code if the object does not exist, `ownership_required` for another owner,
 *   `dealer_not_active` for writes to objects of a suspended dealer
 */
export function assertReaches(
  context: RequestContext,
  permission: TranslationPermission,
  object: TranslatableObject | null,
  missing: MissingCode,
): asserts object is TranslatableObject {
  const reach = object ? reachOf(object, context.viewer.breadthOf(permission)) : 'missing';
  if (reach === 'foreign') throw ownershipRequired();
  if (reach === 'missing' || !object) throw missingObject(missing);
  if (permission !== 'translations:read') assertMayWrite(object.owned, context.viewer.breadthOf(permission));
}

/** Returns the 404 that names what was not found. */
export function missingObject(code: MissingCode): AppError {
  const messages: Record<MissingCode, string> = {
    object_not_found: 'The object does not exist.',
    related_object_not_found: 'The related object does not exist.',
    translation_not_found: 'The translation does not exist.',
  };
  return new AppError(code, messages[code]);
}

/**
 * Returns the record of an object inside a change; null if it has none yet. What remains of a deleted object joins no
 * group, whatever its owner said before.
 *
 * @throws AppError the given code if the object was deleted
 */
export function presentRecord(state: Memberships, key: string, missing: MissingCode): TranslationHead | null {
  const record = state.records.get(key) ?? null;
  if (record !== null && record.objectGoneAt !== null) throw missingObject(missing);
  return record;
}

/** Returns whether a caller sees the work on an object, not only what readers get. */
export function isEditor(
  viewer: Viewer | null,
  object: Pick<TranslatableObject, 'owned' | 'record'>,
): boolean {
  return viewer !== null && reachOf(object, viewer.breadthOf('translations:read')) === 'yes';
}
