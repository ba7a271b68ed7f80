import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError } from '../../platform/errors/AppError.ts';
import { isPublic, type LocatedObject } from '../translatable/LocatedObject.ts';
import { isEditor } from '../translatable/policy.ts';

/**
 * 409 for a language that another member has; the member is named only to those who may see it.
 *
 * @param groupId null while the holder is alone
 */
export function languageTaken(
  context: RequestContext,
  groupId: string | null,
  language: string,
  holder: LocatedObject,
): AppError {
  const seen = isPublic(holder.owned) || isEditor(context.viewerOrNull, holder);
  return new AppError('language_taken', `The group already has an object in "${language}".`, {
    conflict: { groupId, language, ...(seen ? { object: { ...holder.ref } } : {}) },
  });
}

/** 409 for an object whose present group would lose it. */
export function objectInOtherGroup(groupId: string): AppError {
  return new AppError(
    'object_in_other_group',
    'The object is linked to others: let it leave them first, or ask for "move".',
    { conflict: { groupId } },
  );
}

/** 404 for a group that is not there, or that an object is not in. */
export function relationNotFound(): AppError {
  return new AppError('relation_not_found', 'There is no such relation.');
}
