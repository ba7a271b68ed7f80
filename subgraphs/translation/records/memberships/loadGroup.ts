import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { findByIds } from '../../../platform/context/recordLoader.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { RelationGroupModel, type StoredGroup } from './model.ts';

/** Loads a group by its id, open or closed; null if there is none. */
export function loadGroup(context: RequestContext, id: string): Promise<StoredGroup | null> {
  return context.loader(groups).load(id);
}

/** Returns the open group of an id: the group itself, or the one that it was merged into; null if there is none. */
export async function findOpenGroup(context: RequestContext, id: string): Promise<StoredGroup | null> {
  if (!isId('group', id)) return null;
  const named = await loadGroup(context, id);
  if (!named?.closed) return named;
  const survivor = named.mergedInto === null ? null : await loadGroup(context, named.mergedInto);
  return survivor?.closed ? null : survivor;
}

/** Drops cached groups after a write. */
export function forgetGroups(context: RequestContext): void {
  context.loader(groups).clearAll();
}

function groups(context: RequestContext): DataLoader<string, StoredGroup | null> {
  return new DataLoader((ids) => findByIds(scoped(RelationGroupModel, context.installationId), ids), {
    maxBatchSize: 1000,
  });
}
