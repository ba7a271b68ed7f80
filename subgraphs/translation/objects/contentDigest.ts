import type { ObjectType } from './ObjectRef.ts';
import { fieldNames, isFieldOf, type Texts } from './translatableFields.ts';

/** Shape of every digest of this version. */
export const digestPattern = /^v1:[A-Za-z0-9_-]{43}$/;

/** Returns the translatable texts of an owner's response. */
export function toTexts(type: ObjectType, fields: Readonly<Record<string, string>>): Texts {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, text]) => isFieldOf(type, name) && typeof text === 'string'),
  );
}

/**
 * Returns the names of texts whose digests differ, in the order of the fields.
 *
 * @param before empty if only the digest of the whole is known; then every text may have changed
 */
export function changedFields(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string[] {
  return fieldNames.filter((name) => before[name] !== now[name]);
}
