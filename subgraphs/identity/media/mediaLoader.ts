import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { isId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel, type MediaRecord } from './model.ts';

/** What a record that refers to a file asks of it. */
export type MediaReference = Pick<MediaRecord, '_id' | 'owner' | 'kind' | 'purpose' | 'state'>;

/** Files by id, in whatever state, batched per request; null for an id of another installation. */
export function mediaLoader({ installationId }: RequestContext): DataLoader<string, MediaRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('media', id));
    const media = scoped(MediaModel, installationId);
    const records = known.length > 0 ? await media.find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
