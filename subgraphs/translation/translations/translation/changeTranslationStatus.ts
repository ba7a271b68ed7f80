import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import { assertAssignee, assertDigest } from '../../records/checkInput.ts';
import type { TranslationParent } from '../../records/TranslationParent.ts';
import type { ChangeTranslationStatusInput } from '../../translation.generated.ts';
import { changeTranslation } from './changeTranslation.ts';
import { decideState, type StateChange } from './decideState.ts';

const changeable = ['status', 'note', 'assigneeId', 'dueAt', 'sourceDigest', 'outdated'] as const;
const neverEmpty = ['status', 'sourceDigest', 'outdated'] as const;

/** Changes the given members of a translation's state (RFC 7396): absent members are unchanged, null clears. */
export async function changeTranslationStatus(
  input: ChangeTranslationStatusInput,
  context: RequestContext,
): Promise<{ translation: TranslationParent }> {
  const problems = findProblems(input);
  if (problems.length > 0) throw invalidFields(problems);
  const { status, note, assigneeId, dueAt, sourceDigest, outdated } = input;
  return changeState(context, input, {
    ...(status == null ? {} : { status }),
    ...(note === undefined ? {} : { note }),
    ...(assigneeId === undefined ? {} : { assigneeId }),
    ...(dueAt === undefined ? {} : { dueAt }),
    ...(sourceDigest == null ? {} : { sourceDigest }),
    ...(outdated == null ? {} : { outdated }),
  });
}

/** Changes the state for both PUT and PATCH. */
export async function changeState(
  context: RequestContext,
  input: Pick<
    ChangeTranslationStatusInput,
    'id' | 'objectType' | 'objectId' | 'language' | 'expectedVersion'
  >,
  change: StateChange,
): Promise<{ translation: TranslationParent }> {
  assertDigest(change.sourceDigest);
  const { id, objectType, objectId, language, expectedVersion } = input;
  const selector = { id, objectType, objectId, language };
  const translation = await changeTranslation(context, selector, (subject) => {
    assertAssignee(context, change.assigneeId, subject.record.assigneeId, subject.actor.manages);
    return decideState(subject, change, expectedVersion);
  });
  return { translation };
}

function findProblems(input: ChangeTranslationStatusInput): FieldProblem[] {
  if (changeable.every((member) => input[member] === undefined)) {
    const detail = `A change must contain at least one of: ${changeable.join(', ')}.`;
    return [{ pointer: '#', code: 'required', detail }];
  }
  return neverEmpty.flatMap((member) =>
    input[member] === null
      ? [{ pointer: `#/${member}`, code: 'required', detail: `"${member}" cannot be null.` }]
      : [],
  );
}
