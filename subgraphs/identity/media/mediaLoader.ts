import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { isId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { MediaModel, type MediaRecord } from './model.ts';

/** What a record that refers to a file asks of it. */
export type MediaReference = Pick<MediaRecord, '_id' | 'owner' | 'purpose' | 'state'>;

/** Files by id, as far as references go, batched per request; null for an id of another installation. */
export function mediaLoader({ installationId }: RequestContext): DataLoader<string, MediaReference | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('media', id));
    const projection = { owner: 1, purpose: 1, state: 1 };
    const media = scoped(MediaModel, installationId);
    const records = known.length > 0 ? await media.find({ _id: { $in: known } }, { projection }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
