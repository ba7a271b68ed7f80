import { ownershipRequired } from '../../../platform/auth/ownership.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError } from '../../../platform/errors/AppError.ts';
import type { UpdateConversationInput } from '../../identity.generated.ts';
import type { ConversationRecord, Side } from './model.ts';
import { ownSideOf } from './policy.ts';
import {
  type ConversationChanges,
  type ConversationNews,
  changeConversation,
  withParticipant,
} from './saveConversation.ts';
import { shownStateOf } from './shownStateOf.ts';
import { conversationStates, isAllowed } from './states.ts';

/** Updates a user's own settings and, for the seller's side, whether the buyer may write. */
export function updateConversation(
  input: UpdateConversationInput,
  context: RequestContext,
): Promise<ConversationRecord> {
  const { viewer } = context;
  return changeConversation(context, input.conversationId, (conversation) => {
    const side = ownSideOf(viewer, conversation);
    const { archivedBy, mutedBy, participants } = conversation;
    const state = decideState(input.state, conversation, side, context);
    assertVersion(conversation.version, input.expectedVersion);
    const changes: ConversationChanges = {
      archivedBy: withOrWithout(archivedBy, viewer.id, input.archived),
      mutedBy: withOrWithout(mutedBy, viewer.id, input.muted),
      participants: withParticipant(participants, viewer.id, side),
      state,
    };
    return { ...changes, tell: toNews(conversation, changes, viewer.id) };
  });
}

/** Returns the events. The caller's own settings are published only to the caller, for other devices. */
function toNews(
  { state }: ConversationRecord,
  { state: next, archivedBy = [], mutedBy = [] }: ConversationChanges,
  viewerId: string,
): ConversationNews[] {
  const [archived, muted] = [archivedBy.includes(viewerId), mutedBy.includes(viewerId)];
  return [
    ...(next !== state && next === 'open' ? [{ type: 'conversation.opened' } as const] : []),
    ...(next !== state && next === 'closed' ? [{ type: 'conversation.closed' } as const] : []),
    { type: 'conversation.updated', to: { userId: viewerId }, archived, muted },
  ];
}

/**
 * Returns the new state.
 *
 * @throws AppError `ownership_required` for the buyer, `invalid_transition` for a blocked conversation
 */
function decideState(
  state: UpdateConversationInput['state'],
  conversation: ConversationRecord,
  side: Side,
  { viewer }: RequestContext,
): ConversationRecord['state'] {
  if (!state) return conversation.state;
  if (side === 'buyer') throw ownershipRequired();
  const shown = shownStateOf(conversation, viewer);
  const isStep = isAllowed(shown, state, 'updateConversation');
  if (shown === 'blocked' || (state !== shown && !isStep))
    throw new AppError(
      'invalid_transition',
      `A conversation in the state "${shown}" cannot become "${state}".`,
      {
        allowedFrom: {
          state: shown,
          allowed: conversationStates.filter((next) => isAllowed(shown, next, 'updateConversation')),
        },
      },
    );
  // A blocked user does not learn of it: the decision takes effect once the block is lifted.
  return conversation.state === 'blocked' ? 'blocked' : state;
}

/** Adds or removes an id. Null and undefined leave the list unchanged. */
function withOrWithout(ids: readonly string[], id: string, wanted: boolean | null | undefined): string[] {
  if (wanted === null || wanted === undefined) return [...ids];
  const others = ids.filter((other) => other !== id);
  return wanted ? [...others, id] : others;
}
