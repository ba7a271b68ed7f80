import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { idsIn, isItem, ofDealers, once, onEach, reading, writing } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { isMember, owns } from '../matrix/rules.ts';
import { namesOf } from '../world/Item.ts';
import {
  isUnverified,
  notFound,
  onlyHere,
  onlyManagers,
  onlyMembers,
  onlyVerified,
  unverified,
} from '../world/meanings.ts';
import { storeThread } from '../world/storeThread.ts';

/** Reads of a conversation by its parties. */
const reads = {
  rule: { kind: 'member' },
  scope: 'messages:read',
  cases: onEach(namesOf('thread'), (conversationId) => reading({ conversationId })),
} as const satisfies Partial<Operation>;
/** Writes to a conversation by its parties. */
const writes = (body: object, options: Partial<Case> = {}) =>
  ({
    rule: { kind: 'member' },
    scope: 'messages:write',
    cases: onEach(namesOf('thread'), (conversationId) => writing({ conversationId }, body), options),
  }) as const satisfies Partial<Operation>;

/** A write for each user. An allowed call uses a new user, because a block affects conversations. */
const onPeople = (options: Partial<Case> = {}): Case[] =>
  onEach(
    namesOf('person'),
    async (id, { item, isAnswered, world }) => {
      const isNew = isAnswered && item?.where === 'here';
      return writing({ userId: isNew ? (await world.shop.user()).id : id });
    },
    options,
  );

/** Conversations, messages and blocks. */
export const messagingOperations: readonly Operation[] = [
  {
    field: 'Query.conversations',
    rule: { kind: 'signed in' },
    scope: 'messages:read',
    selection: 'nodes { id }',
    cases: ofDealers(namesOf('dealer'), onlyMembers),
    check: (data, { who, world }) => {
      const listed = new Set(idsIn(data));
      expect(listed.has(world.items.threadElsewhere.id)).toBe(false);
      if (!isMember(who, world.items.thread)) expect(listed.has(world.items.thread.id)).toBe(false);
    },
  },
  {
    field: 'Mutation.startConversation',
    rule: { kind: 'signed in' },
    selection: 'conversation { id }',
    cases: onEach(
      ['published', 'garage', 'elsewhere', 'never'],
      async (id, { item, isAnswered, world }) => {
        const isNew = isAnswered && item?.name === 'published';
        const listingId = isNew ? (await world.garage.listing({ published: true })).id : id;
        return writing({}, { listingId, text: 'Is it still there?' });
      },
      {
        meaning: (cell) => {
          const { item, who } = cell;
          if (item?.name !== 'published') return notFound;
          if (isMember(who, item)) return { status: 403, code: 'own_listing' };
          return isUnverified(cell) ? unverified : null;
        },
      },
    ),
  },
  {
    ...reads,
    field: 'Query.conversation',
    selection: 'id',
    check: isItem,
  },
  {
    ...writes({ muted: true }),
    field: 'Mutation.updateConversation',
    selection: 'conversation { id }',
  },
  {
    ...writes({ assigneeUserId: null }, { meaning: onlyManagers }),
    field: 'Mutation.assignConversation',
    selection: 'conversation { id }',
  },
  {
    ...reads,
    field: 'Query.messages',
    selection: 'nodes { conversationId }',
    check: (data, { item }) => {
      for (const { conversationId } of data.nodes ?? data.data) expect(conversationId).toBe(item?.id);
    },
  },
  {
    ...writes({ text: 'It is.' }, { meaning: onlyVerified }),
    field: 'Mutation.sendMessage',
    selection: 'message { id }',
  },
  {
    field: 'Mutation.retractMessage',
    rule: { kind: 'owner', or: 'messages:moderate' },
    scope: 'messages:write',
    selection: 'messageId',
    cases: onEach(namesOf('message'), async (messageId, { world, isAnswered }) => {
      const parties = { buyerUserId: world.ids.buyer, dealerId: world.garage.id };
      if (isAnswered) return writing(await storeThread(world.shop.installation.id, parties));
      return writing({ conversationId: newId('conversation'), messageId });
    }),
  },
  {
    ...writes({ seq: 0 }),
    field: 'Mutation.setReadMarker',
    selection: 'conversation { id }',
  },
  {
    field: 'Query.myEvents',
    rule: { kind: 'signed in' },
    scope: 'messages:read',
    selection:
      'nodes { id type data resource { id: resourceId } conversation { id } message { id } listing { id } }',
    cases: [once(() => ({ variables: { first: 100 }, query: { limit: '100' } }))],
    check: (data, { who, world }) => {
      const events: { resource: { id: string } }[] = data.nodes ?? data.data;
      const listings = new Set(events.map(({ resource }) => resource.id));
      const { garage, private: ofSeller, elsewhere } = world.items;
      expect(listings.has(elsewhere.id)).toBe(false);
      for (const item of [garage, ofSeller]) expect(listings.has(item.id)).toBe(owns(who, item));
    },
  },
  {
    field: 'Subscription.events',
    rule: { kind: 'signed in' },
    scope: 'messages:read',
    selection: 'cursor event { id }',
    check: (data) => expect(data).toEqual({ cursor: expect.any(String), event: null }),
  },
  {
    field: 'Query.myBlocks',
    rule: { kind: 'signed in' },
    selection: 'nodes { userId }',
  },
  {
    field: 'Mutation.blockUser',
    rule: { kind: 'signed in' },
    selection: 'block { userId }',
    cases: onPeople({ meaning: onlyHere }),
  },
  {
    field: 'Mutation.unblockUser',
    rule: { kind: 'signed in' },
    selection: 'unblockedUserId',
    cases: onPeople(),
  },
];
