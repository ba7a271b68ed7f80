import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { longestHistory, type TranslationHead, TranslationModel } from '../../records/model.ts';

/** Readers are not shown what has no words: the translation waits for approval again. */
export async function takeDown(
  context: RequestContext,
  { _id, version, status }: TranslationHead,
): Promise<void> {
  const now = new Date(context.platform.now());
  const by = context.viewer.id;
  const to = status === 'published' ? 'needs_review' : status;
  const step = { at: now, by, from: status, to, note: 'The translation had no published texts.' };
  await scoped(TranslationModel, context.installationId).findOneAndUpdate(
    { _id, version, publishedFields: null },
    {
      $set: { status: to, liveSince: null, updatedAt: now, updatedBy: by },
      $push: {
        history: { $each: [step], $slice: -longestHistory },
        ...announce(context, 'translation.changed'),
      },
      $inc: { version: 1 },
    },
  );
}
