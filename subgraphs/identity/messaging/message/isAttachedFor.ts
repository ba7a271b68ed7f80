import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { MediaRecord } from '../../media/model.ts';
import { conversationLoader, sideOf } from '../conversation/policy.ts';
import { messageLoader } from './policy.ts';

/** Returns whether a file is attached to a message of a conversation that the viewer takes part in. */
export async function isAttachedFor(
  { _id, purpose, usage }: Pick<MediaRecord, '_id' | 'purpose' | 'usage'>,
  context: RequestContext,
): Promise<boolean> {
  if (purpose !== 'message') return false;
  const uses = usage.filter(({ type }) => type === 'message');
  for (const message of await Promise.all(uses.map(({ id }) => context.loader(messageLoader).load(id)))) {
    if (message?.state !== 'sent' || !message.mediaIds.includes(_id)) continue;
    const conversation = await context.loader(conversationLoader).load(message.conversationId);
    if (conversation && sideOf(context.viewer, conversation) !== null) return true;
  }
  return false;
}
