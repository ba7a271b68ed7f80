import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { NoticeModel, type NoticeRecord } from './model.ts';

/** Notices by id, batched per request; null for one that is gone. */
export function noticeLoader({ installationId }: RequestContext): DataLoader<string, NoticeRecord | null> {
  return new DataLoader(async (ids) => {
    const notices = await scoped(NoticeModel, installationId).find({ _id: { $in: [...ids] } });
    const byId = new Map(notices.map((notice) => [notice._id, notice]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}
