import { permissionRequired } from '../../platform/auth/checkGuard.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { invalidFields } from '../../platform/errors/AppError.ts';
import { isId } from '../../platform/ids/newId.ts';
import { digestPattern } from '../objects/contentDigest.ts';
import { reachOf } from './policy.ts';
import type { TranslatableObject } from './TranslatableObject.ts';

/**
 * Validates a digest.
 *
 * @throws AppError `validation_failed` for anything but a digest of this version
 */
export function assertDigest(sourceDigest: string | null | undefined): void {
  if (sourceDigest == null || digestPattern.test(sourceDigest)) return;
  const detail = 'A digest must be a "sourceDigest" of a translation: "v1:" and 43 characters.';
  throw invalidFields([{ pointer: '#/sourceDigest', code: 'invalid', detail }]);
}

/** Returns whether `translations:manage` applies to the object; otherwise `translations:contribute` does. */
export function managesObject(context: RequestContext, object: TranslatableObject): boolean {
  return reachOf(object, context.viewer.breadthOf('translations:manage')) === 'yes';
}

/**
 * Checks an assignment. Contributors can take and return work; assigning it to other users requires
 * `translations:manage`.
 *
 * @param present current assignee
 * @throws AppError `validation_failed` for an invalid user id, `permission_required`
 */
export function assertAssignee(
  { viewer }: RequestContext,
  assigneeId: string | null | undefined,
  present: string | null,
  manages: boolean,
): void {
  if (assigneeId == null || assigneeId === present) return;
  if (!isId('user', assigneeId)) {
    const detail = 'An assignee must be the id of a user.';
    throw invalidFields([{ pointer: '#/assigneeId', code: 'invalid', detail }]);
  }
  if (!manages && assigneeId !== viewer.id) throw permissionRequired('translations:manage');
}
