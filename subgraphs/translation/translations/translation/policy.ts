import { AppError } from '../../../platform/errors/AppError.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { missingTexts, type Texts } from '../../objects/translatableFields.ts';
import type { Status } from '../../records/model.ts';
import {
  allowedTransitions,
  checkTransition,
  type TransitionActor,
  type TransitionSubject,
} from '../../records/statusMachine.ts';

/**
 * Checks that a text is complete.
 *
 * @throws AppError `content_incomplete` with every missing text
 */
export function assertComplete(type: ObjectType, texts: Texts): void {
  const missing = missingTexts(type, texts);
  if (missing.length === 0) return;
  throw new AppError(
    'content_incomplete',
    `The translation cannot be published, because these fields are missing: ${missing.join(', ')}.`,
    {
      errors: missing.map((name) => ({
        pointer: `#/fields/${name}`,
        code: 'content_incomplete',
        detail: `"${name}" is required to publish the translation.`,
      })),
    },
  );
}

/**
 * Checks a transition.
 *
 * @throws AppError `invalid_transition`, `transition_not_allowed`, `not_assignee`
 */
export function assertTransition(subject: TransitionSubject, to: Status, actor: TransitionActor): void {
  const verdict = checkTransition(subject, to, actor);
  if (verdict === 'allowed') return;
  if (verdict === 'not_assignee') throw notAssignee();
  const { status: from } = subject;
  const allowed = allowedTransitions(subject, actor);
  if (verdict === 'invalid_transition') {
    throw new AppError('invalid_transition', `A translation cannot change from "${from}" to "${to}".`, {
      from,
      allowed,
      allowedFrom: { state: from, allowed },
    });
  }
  throw new AppError('transition_not_allowed', `This needs the permission "translations:manage".`, {
    requiredPermission: 'translations:manage',
    from,
    allowed,
  });
}

/** Returns the 403 for a contributor on another contributor's work. */
export function notAssignee(): AppError {
  return new AppError('not_assignee', 'This translation is assigned to another user.');
}
