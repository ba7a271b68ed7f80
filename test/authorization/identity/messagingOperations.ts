import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { namesOf } from '../Item.ts';
import { isUnverified, unverified } from '../meanings.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import { hasRole, isMember, owns } from '../rules.ts';
import { storeThread } from '../storeThread.ts';

const threads = namesOf('thread');
const dealers = namesOf('dealer');
const people = namesOf('person');

/** As far as the check looks at them. */
interface EventOfFeed {
  resource: { id: string };
}

/** Conversations, messages and blocks. */
export const messagingOperations: readonly Operation[] = [
  {
    field: 'Query.conversations',
    source: 'authenticated; 403 for the dealer of others; lists never hold foreign records',
    rule: { kind: 'signed in' },
    scope: 'messages:read',
    routes: { 'GET /api/v1/conversations': 200 },
    selection: 'nodes { id }',
    cases: [
      { name: 'of everybody', call: () => ({ variables: {} }) },
      ...dealers.map((item) => ({
        item,
        call: ({ item }: Cell) => ({
          variables: { dealerId: item?.id },
          query: { dealerId: item?.id ?? '' },
        }),
        meaning: ({ item, who }: Cell) => {
          if (item?.where !== 'here') return { status: 404, code: 'not_found' };
          return isMember(who, item) ? null : { status: 403, code: 'ownership_required' };
        },
      })),
    ],
    check: (data, { who, world }) => {
      const listed = new Set((data.nodes ?? data.data).map(({ id }: { id: string }) => id));
      expect(listed.has(world.items.threadElsewhere.id)).toBe(false);
      if (!isMember(who, world.items.thread)) expect(listed.has(world.items.thread.id)).toBe(false);
    },
  },
  {
    field: 'Mutation.startConversation',
    source: 'authenticated, with a confirmed address; not about one’s own; people only',
    rule: { kind: 'signed in' },
    routes: { 'POST /api/v1/conversations': 201 },
    selection: 'conversation { id }',
    cases: (['published', 'garage', 'elsewhere', 'never'] as const).map((item) => ({
      item,
      call: async ({ item, isAnswered, world }: Cell) => {
        const isNew = isAnswered && item?.name === 'published';
        const listingId = isNew ? (await world.garage.listing({ published: true })).id : item?.id;
        const body = { listingId, text: 'Is it still there?' };
        return { variables: { input: body }, body };
      },
      meaning: (cell: Cell) => {
        const { item, who } = cell;
        if (item?.name !== 'published') return { status: 404, code: 'not_found' };
        if (isMember(who, item)) return { status: 403, code: 'own_listing' };
        return isUnverified(cell) ? unverified : null;
      },
    })),
  },
  {
    field: 'Query.conversation',
    source: 'whoever takes part',
    rule: { kind: 'member' },
    scope: 'messages:read',
    routes: { 'GET /api/v1/conversations/{conversationId}': 200 },
    selection: 'id',
    cases: threads.map((item) => ({ item, call: naming })),
    check: (data, { item }) => expect(data.id).toBe(item?.id),
  },
  {
    field: 'Mutation.updateConversation',
    source: 'own flags of whoever takes part',
    rule: { kind: 'member' },
    scope: 'messages:write',
    routes: { 'PATCH /api/v1/conversations/{conversationId}': 200 },
    selection: 'conversation { id }',
    cases: threads.map((item) => ({ item, call: (cell) => changing(cell, { muted: true }) })),
  },
  {
    field: 'Mutation.assignConversation',
    source: 'member>=manager, or an agent who takes an unassigned one',
    rule: { kind: 'member' },
    scope: 'messages:write',
    routes: { 'PUT /api/v1/conversations/{conversationId}/assignee': 200 },
    selection: 'conversation { id }',
    cases: threads.map((item) => ({
      item,
      call: (cell) => changing(cell, { assigneeUserId: null }),
      meaning: ({ who }) => (hasRole(who, 'manager') ? null : { status: 403, code: 'dealer_role_required' }),
    })),
  },
  {
    field: 'Query.messages',
    source: 'whoever takes part',
    rule: { kind: 'member' },
    scope: 'messages:read',
    routes: { 'GET /api/v1/conversations/{conversationId}/messages': 200 },
    selection: 'nodes { conversationId }',
    cases: threads.map((item) => ({ item, call: naming })),
    check: (data, { item }) => {
      for (const { conversationId } of data.nodes ?? data.data) expect(conversationId).toBe(item?.id);
    },
  },
  {
    field: 'Mutation.sendMessage',
    source: 'whoever takes part, with a confirmed address',
    rule: { kind: 'member' },
    scope: 'messages:write',
    routes: { 'POST /api/v1/conversations/{conversationId}/messages': 201 },
    selection: 'message { id }',
    cases: threads.map((item) => ({
      item,
      call: (cell) => changing(cell, { text: 'It is.' }),
      meaning: (cell) => (isUnverified(cell) ? unverified : null),
    })),
  },
  {
    field: 'Mutation.retractMessage',
    source: 'the author; or messages:moderate',
    rule: { kind: 'owner', or: 'messages:moderate' },
    scope: 'messages:write',
    routes: { 'DELETE /api/v1/conversations/{conversationId}/messages/{messageId}': 204 },
    selection: 'messageId',
    cases: namesOf('message').map((item) => ({
      item,
      call: async (cell: Cell): Promise<Call> => {
        const { world, isAnswered } = cell;
        const parties = { buyerUserId: world.ids.buyer, dealerId: world.garage.id };
        const { conversationId, messageId } = isAnswered
          ? await storeThread(world.shop.installation.id, parties)
          : { conversationId: newId('conversation'), messageId: cell.item?.id ?? '' };
        const path = { conversationId, messageId };
        return { variables: { input: path }, path };
      },
    })),
  },
  {
    field: 'Mutation.setReadMarker',
    source: 'whoever takes part',
    rule: { kind: 'member' },
    scope: 'messages:write',
    routes: { 'PUT /api/v1/conversations/{conversationId}/read-marker': 200 },
    selection: 'conversation { id }',
    cases: threads.map((item) => ({ item, call: (cell) => changing(cell, { seq: 0 }) })),
  },
  {
    field: 'Query.myEvents',
    source: 'self; of the dealer for its members; lists never hold foreign records',
    rule: { kind: 'signed in' },
    scope: 'messages:read',
    routes: { 'GET /api/v1/me/events': 200 },
    selection: 'nodes { id type data resource { id } conversation { id } message { id } listing { id } }',
    cases: [{ call: () => ({ variables: { first: 100 }, query: { limit: '100' } }) }],
    check: (data, { who, world }) => {
      const events: EventOfFeed[] = data.nodes ?? data.data;
      const listings = new Set(events.map(({ resource }) => resource.id));
      const { garage, private: ofSeller, elsewhere } = world.items;
      expect(listings.has(elsewhere.id)).toBe(false);
      for (const item of [garage, ofSeller]) expect(listings.has(item.id)).toBe(owns(who, item));
    },
  },
  {
    field: 'Subscription.events',
    source: 'self; live what `Query.myEvents` lists',
    rule: { kind: 'signed in' },
    scope: 'messages:read',
    selection: 'cursor event { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data) => expect(data).toEqual({ cursor: expect.any(String), event: null }),
  },
  {
    field: 'Query.myBlocks',
    source: 'self; people only; lists never hold foreign records',
    rule: { kind: 'signed in' },
    routes: { 'GET /api/v1/me/blocks': 200 },
    selection: 'nodes { userId }',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Mutation.blockUser',
    source: 'self; 404; people only',
    rule: { kind: 'signed in' },
    routes: { 'PUT /api/v1/me/blocks/{userId}': 201 },
    selection: 'block { userId }',
    cases: onPeople(({ item }) => (item?.where === 'here' ? null : { status: 404, code: 'not_found' })),
  },
  {
    field: 'Mutation.unblockUser',
    source: 'self; idempotent; people only',
    rule: { kind: 'signed in' },
    routes: { 'DELETE /api/v1/me/blocks/{userId}': 204 },
    selection: 'unblockedUserId',
    cases: onPeople(() => null),
  },
];

function naming({ item }: Cell): Call {
  const conversationId = item?.id ?? '';
  return { variables: { conversationId }, path: { conversationId } };
}

function changing({ item }: Cell, body: object): Call {
  const conversationId = item?.id ?? '';
  return { variables: { input: { conversationId, ...body } }, path: { conversationId }, body };
}

/** Somebody new, where the design answers: a block would be felt in the conversations of the matrix. */
function onPeople(meaning: NonNullable<Case['meaning']>): Case[] {
  return people.map((item) => ({
    item,
    call: async ({ item, isAnswered, world }: Cell): Promise<Call> => {
      const isNew = isAnswered && item?.where === 'here';
      const userId = isNew ? (await world.shop.user()).id : (item?.id ?? '');
      return { variables: { input: { userId } }, path: { userId } };
    },
    meaning,
  }));
}
