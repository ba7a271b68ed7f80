import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import { isPublic } from '../../objects/marketplaceObject.ts';
import type { TranslationHead } from '../../records/model.ts';
import { isEditor } from '../../records/policy.ts';
import { objectOfRecord, type TranslatableObject } from '../../records/TranslatableObject.ts';

/**
 * A group already has a member in a language. Whether the member may be named is decided when the error is returned.
 */
export class LanguageTakenError extends Error {
  readonly groupId: string | null;
  readonly language: string;
  readonly member: TranslationHead | TranslatableObject;

  /**
   * Creates the error.
   *
   * @param groupId null if the member is in no group
   */
  constructor(groupId: string | null, language: string, member: TranslationHead | TranslatableObject) {
    super(`The group already has an object in ${language}.`);
    this.groupId = groupId;
    this.language = language;
    this.member = member;
  }
}

/** Returns the 409 for a language that another member has. The member is named only to callers who may see it. */
export async function languageTaken(
  context: RequestContext,
  { groupId, language, member }: LanguageTakenError,
): Promise<AppError> {
  const object = 'owned' in member ? member : await objectOfRecord(context, member);
  const seen = isPublic(object.owned) || isEditor(context.viewerOrNull, object);
  return new AppError('language_taken', `The group already has an object in "${language}".`, {
    conflict: { groupId, language, ...(seen ? { object: { ...object.ref } } : {}) },
  });
}

/** Returns the 409 for an object that would leave its current group. */
export function objectInOtherGroup(groupId: string): AppError {
  return new AppError(
    'object_in_other_group',
    'The object is linked to other objects. Unlink it first, or send "move".',
    { conflict: { groupId } },
  );
}

/** Returns the 404 for a group that does not exist, or that does not contain the object. */
export function relationNotFound(): AppError {
  return new AppError('relation_not_found', 'This relation does not exist.');
}
