import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { fromObjectKey } from '../../objects/ObjectRef.ts';
import { managesObject } from '../../records/checkInput.ts';
import { loadStored } from '../../records/loaders.ts';
import type { Derivation, Status } from '../../records/model.ts';
import { reachOf } from '../../records/policy.ts';
import { allowedTransitions } from '../../records/statusMachine.ts';
import type { TranslatableObject } from '../../records/TranslatableObject.ts';
import { isLinkedSource, type TranslationParent } from '../../records/TranslationParent.ts';
import type { StatusChange, TranslationSource } from '../../translation.generated.ts';

/** Returns the statuses that the caller may currently set. */
export function allowedFor(context: RequestContext, object: TranslatableObject): Status[] {
  const { record } = object;
  const contributes = reachOf(object, context.viewer.breadthOf('translations:contribute')) === 'yes';
  if (!record || !contributes || isLinkedSource({ record })) return [];
  const { status, assigneeId, liveSince } = record;
  return allowedTransitions(
    { status, assigneeId, live: liveSince !== null },
    { id: context.viewer.id, manages: managesObject(context, object) },
  );
}

/** Returns changes of the status, in descending order of time. */
export async function historyOf(
  context: RequestContext,
  { record }: TranslationParent,
  first: number,
): Promise<StatusChange[]> {
  if (!record) return [];
  const history = record.history ?? (await loadStored(context, record._id))?.history ?? [];
  const newest = history.toReversed().slice(0, Math.max(0, first));
  return newest.map(({ at, by, from, to, note }) => ({
    at,
    byUserId: by,
    from,
    to,
    note,
  }));
}

/** Returns the source of a text. */
export function toSource(derivedFrom: Derivation | null): TranslationSource | null {
  if (!derivedFrom) return null;
  const { type, id } = fromObjectKey(derivedFrom.objectKey);
  return { type, objectId: id, languageCode: derivedFrom.language };
}
