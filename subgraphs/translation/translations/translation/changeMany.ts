import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { loadMembers } from '../../records/loaders.ts';
import { findOpenGroup } from '../../records/memberships/loadGroup.ts';
import { isLinkedSource, type TranslationParent } from '../../records/TranslationParent.ts';
import { relationNotFound } from '../../relations/group/refuseLink.ts';
import type {
  BulkChangeTranslationStatusInput,
  MarkTranslationsOutdatedInput,
} from '../../translation.generated.ts';
import { changeState } from './changeTranslationStatus.ts';
import type { StateChange } from './decideState.ts';

/** Translations that one request changes. */
const mostChanges = 200;
/** Number of concurrent changes. Each is a few commands, and other requests need the database too. */
const atOnce = 8;

/** Reason why one of many was not changed. */
export interface TranslationFailureParent {
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** Results of many independent changes. */
export interface BulkChange {
  readonly updated: TranslationParent[];
  readonly errors: TranslationFailureParent[];
}

/** Sets one status of up to 200 translations. */
export function bulkChangeTranslationStatus(
  { ids, status, note }: BulkChangeTranslationStatusInput,
  context: RequestContext,
): Promise<BulkChange> {
  if (ids.length === 0 || ids.length > mostChanges || new Set(ids).size !== ids.length) {
    const detail = `A bulk change must contain 1 to ${mostChanges} translations, each once.`;
    throw invalidFields([{ pointer: '#/ids', code: 'invalid', detail }]);
  }
  return changeEach(context, ids, {
    status,
    ...(note === undefined ? {} : { note }),
  });
}

/** Marks everything that was translated from the source of a group as outdated. */
export async function markTranslationsOutdated(
  { groupId, note }: MarkTranslationsOutdatedInput,
  context: RequestContext,
): Promise<BulkChange> {
  const group = await findOpenGroup(context, groupId);
  const members = group ? await loadMembers(context, group._id) : [];
  if (!group || members.length === 0) throw relationNotFound();
  const derived = members.filter((record) => !record.isSource && !isLinkedSource({ record }));
  return changeEach(
    context,
    derived.map(({ _id }) => _id),
    { outdated: true, ...(note === undefined ? {} : { note }) },
  );
}

/** Applies the changes in the order of the ids. A bug fails all of them, because it cannot be described to a client. */
async function changeEach(
  context: RequestContext,
  ids: readonly string[],
  change: StateChange,
): Promise<BulkChange> {
  const outcomes = new Map<string, TranslationParent | TranslationFailureParent>();
  const waiting = [...ids];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      outcomes.set(id, await changeOne(context, id, change));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, ids.length) }, work));
  const all = ids.flatMap((id) => outcomes.get(id) ?? []);
  return {
    updated: all.flatMap((outcome) => (isFailure(outcome) ? [] : [outcome])),
    errors: all.filter(isFailure),
  };
}

async function changeOne(
  context: RequestContext,
  id: string,
  change: StateChange,
): Promise<TranslationParent | TranslationFailureParent> {
  try {
    return (await changeState(context, { id }, change)).translation;
  } catch (error) {
    if (error instanceof AppError) return { id, code: error.code, message: error.message };
    throw error;
  }
}

function isFailure(
  outcome: TranslationParent | TranslationFailureParent,
): outcome is TranslationFailureParent {
  return 'message' in outcome;
}
