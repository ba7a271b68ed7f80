import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { announce } from '../../platform/events/outbox.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { longestHistory, type StoredTranslation, TranslationModel } from './model.ts';

/** Update of a translation. */
export interface RecordUpdate {
  readonly set: Partial<StoredTranslation>;
  /** A step that is added to the history. */
  readonly step?: StoredTranslation['history'][number];
}

/** Updates a translation with its event if it matches the filter; null otherwise. */
export function updateRecord(
  context: Pick<RequestContext, 'installationId' | 'platform' | 'viewer'>,
  filter: QueryFilter<StoredTranslation> & Pick<StoredTranslation, '_id' | 'version'>,
  { set, step }: RecordUpdate,
): Promise<StoredTranslation | null> {
  const by = { updatedAt: new Date(context.platform.now()), updatedBy: context.viewer.id };
  return scoped(TranslationModel, context.installationId).findOneAndUpdate(filter, {
    $set: { ...set, ...by },
    $inc: { version: 1 },
    $push: {
      ...(step && { history: { $each: [step], $slice: -longestHistory } }),
      ...announce(context, 'translation.changed'),
    },
  });
}
