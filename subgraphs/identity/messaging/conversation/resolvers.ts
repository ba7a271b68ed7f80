import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type {
  ConversationConnectionResolvers,
  ConversationParticipantResolvers,
  ConversationResolvers,
  ConversationSubjectResolvers,
  ListingStatsResolvers,
  MeCountsResolvers,
  MutationResolvers,
  QueryResolvers,
} from '../../identity.generated.ts';
import type { IdentityResource } from '../../kernel/personal-data/PersonalData.ts';
import { findPicture } from '../../listings/catalog/public-listing/findPictures.ts';
import { dealerLoader } from '../../people/dealer/policy.ts';
import { userLoader } from '../../people/user/policy.ts';
import { assignConversation } from './assignConversation.ts';
import { closeConversations } from './closeConversations.ts';
import { conversationCountLoader } from './conversationCountLoader.ts';
import { conversations, inboxesOf } from './conversations.ts';
import { countUnread } from './countUnread.ts';
import {
  ConversationModel,
  type ConversationRecord,
  type Side,
  type StoredParticipant,
  type StoredSubject,
} from './model.ts';
import { personalData } from './personalData.ts';
import { conversationLoader, conversationPolicy, ownSideOf } from './policy.ts';
import { shownStateOf } from './shownStateOf.ts';
import { updateConversation } from './updateConversation.ts';

const Query: QueryResolvers = {
  conversations: (_, args, context) => conversations(args, context),
  conversation: (_, { conversationId }, context) => context.loader(conversationLoader).load(conversationId),
};

const Mutation: MutationResolvers = {
  updateConversation: async (_, { input }, context) => ({
    conversation: await updateConversation(input, context),
  }),
  assignConversation: async (_, { input }, context) => ({
    conversation: await assignConversation(input, context),
  }),
};

const ConversationConnection: ConversationConnectionResolvers = {
  unreadTotal: ({ inboxes }, _, context) => countUnread(inboxes, context),
};

const Conversation: ConversationResolvers = {
  state: (conversation, _, { viewer }) => shownStateOf(conversation, viewer),
  side: (conversation, _, { viewer }) => ownSideOf(viewer, conversation),
  buyerName: ({ buyerUserId }, _, context) => nameOf(buyerUserId, context),
  sellerName: async ({ dealerId, sellerUserId }, _, context) => {
    if (dealerId === null) return nameOf(sellerUserId ?? '', context);
    return (await context.loader(dealerLoader).load(dealerId))?.tradeName ?? '';
  },
  // Buyers do not see which member of a dealer answers.
  assigneeUserId: (conversation, _, { viewer }) =>
    ownSideOf(viewer, conversation) === 'seller' ? conversation.assigneeUserId : null,
  unreadCount: (conversation, _, { viewer }) => conversation.unread[ownSideOf(viewer, conversation)],
  archived: ({ archivedBy }, _, { viewer }) => archivedBy.includes(viewer.id),
  muted: ({ mutedBy }, _, { viewer }) => mutedBy.includes(viewer.id),
  participants: (conversation, _, { viewer }) => {
    const own = ownSideOf(viewer, conversation);
    return conversation.participants.map((participant) => ({
      ...participant,
      ...flagsOf(conversation, participant.userId === viewer.id ? viewer.id : null),
      isNamed: isNamed(conversation, own, participant.side),
    }));
  },
};

/** A participant as the other side sees it. */
export interface ConversationParticipantParent extends StoredParticipant {
  archived: boolean | null;
  muted: boolean | null;
  /** Whether the id is shown. */
  isNamed: boolean;
}

/** Returns the flags of the viewer; flags are private to each user. */
function flagsOf(
  { archivedBy, mutedBy }: ConversationRecord,
  viewerId: string | null,
): Pick<ConversationParticipantParent, 'archived' | 'muted'> {
  if (viewerId === null) return { archived: null, muted: null };
  return { archived: archivedBy.includes(viewerId), muted: mutedBy.includes(viewerId) };
}

/**
 * Returns whether the ids of a side are shown. The buyer sees the display names of a dealer's members, but not their
 * ids.
 */
export function isNamed({ dealerId }: ConversationRecord, own: Side, side: Side): boolean {
  return own === 'seller' || side === 'buyer' || dealerId === null;
}

const ConversationParticipant: ConversationParticipantResolvers = {
  userId: ({ userId, isNamed }) => (isNamed ? userId : null),
  displayName: ({ userId }, _, context) => nameOf(userId, context),
};

/** Parent of the resolvers of `ConversationSubject`. */
export type ConversationSubjectParent = StoredSubject;

const ConversationSubject: ConversationSubjectResolvers = {
  coverUrl: async ({ coverMediaId }, _, context) => {
    if (coverMediaId === null) return null;
    const picture = await findPicture({ mediaId: coverMediaId, altText: null }, context);
    return picture?.renditions.find(({ name }) => name === 'small')?.url ?? null;
  },
};

/** Returns the name of a participant. An API client has no name of its own; the dealer's name is shown next to it. */
export async function nameOf(userId: string, context: RequestContext): Promise<string> {
  return (await context.loader(userLoader).load(userId))?.displayName ?? '';
}

const MeCounts: MeCountsResolvers = {
  unreadMessages: ({ unread }, _, context) =>
    unread ?? (context.viewer.isOperator ? 0 : countUnread(inboxesOf(context.viewer), context)),
};

const ListingStats: ListingStatsResolvers = {
  conversations: ({ listingId }, _, context) => context.loader(conversationCountLoader).load(listingId),
};

export const conversation: IdentityResource = {
  resolvers: {
    Query,
    Mutation,
    ConversationConnection,
    Conversation,
    ConversationParticipant,
    ConversationSubject,
    MeCounts,
    ListingStats,
  },
  records: { Conversation: { idType: 'conversation', read: conversationPolicy.load } },
  policies: { Conversation: conversationPolicy },
  models: [ConversationModel],
  person: personalData,
  jobs: [closeConversations],
};
