import type { MediaRecord } from '../../../subgraphs/identity/media/model.ts';
import { storeMedia } from '../../support/storeMedia.ts';
import { namesOf } from '../Item.ts';
import type { Call, Case, Cell, Operation } from '../Operation.ts';
import { breadthOf, isInOrder } from '../people.ts';
import { isMember, owns } from '../rules.ts';

const files = ['media', 'mediaPaper', 'mediaPrivate', 'mediaElsewhere', 'mediaNever'] as const;
const dealers = namesOf('dealer');
const shown = (file: { id: string }, { item }: Cell) => expect(file.id).toBe(item?.id);

/** Files: those of a dealer belong to every member, papers of a verification to its owners. */
export const mediaOperations: readonly Operation[] = [
  {
    field: 'Mutation.createMedia',
    source: 'authenticated; own, or of a dealer with member>=agent; 2.6: 422 elsewhere',
    rule: { kind: 'signed in' },
    scope: 'media:write',
    routes: { 'POST /api/v1/media': 201 },
    selection: 'media { id upload { url } }',
    cases: [
      { name: 'privately', call: () => declaring({}) },
      ...dealers.map((item) => ({
        item,
        call: ({ item }: Cell) => declaring({ dealerId: item?.id }),
        meaning: ({ item, who }: Cell) => {
          if (item?.where !== 'here') return { status: 422, code: 'validation_failed' };
          return isMember(who, item) ? null : { status: 403, code: 'dealer_role_required' };
        },
      })),
    ],
  },
  {
    field: 'Mutation.completeMediaUpload',
    source: 'owner; repeat-safe',
    rule: { kind: 'owner' },
    scope: 'media:write',
    routes: { 'POST /api/v1/media/{mediaId}/complete': 202 },
    selection: 'media { id }',
    cases: onFiles(() => ({})),
    check: (data, cell) => shown(data.media ?? data, cell),
  },
  {
    field: 'Query.mediaLibrary',
    source: 'authenticated; 403 for the dealer of others; lists never hold foreign records',
    rule: { kind: 'signed in' },
    scope: 'media:read',
    routes: { 'GET /api/v1/media': 200 },
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
      for (const name of files) {
        const item = world.items[name];
        // What somebody owns may be on a later page; what is not his is on none.
        if (item.where !== 'here' || !owns(who, item)) expect(listed.has(item.id)).toBe(false);
      }
    },
  },
  {
    field: 'Query.media',
    source: 'owner or media:moderate',
    rule: { kind: 'owner', or: 'media:moderate' },
    scope: 'media:read',
    routes: { 'GET /api/v1/media/{mediaId}': 200 },
    selection: 'id filename',
    cases: files.map((item) => ({
      item,
      call: ({ item }) => ({ variables: { mediaId: item?.id }, path: { mediaId: item?.id ?? '' } }),
    })),
    check: shown,
  },
  {
    field: 'Mutation.updateMedia',
    source: 'owner; nobody else, whatever his role',
    rule: { kind: 'owner' },
    scope: 'media:write',
    routes: { 'PATCH /api/v1/media/{mediaId}': 200 },
    selection: 'media { id }',
    cases: onFiles((cell) => ({ filename: `by ${cell.who}.jpg` })),
  },
  {
    field: 'Mutation.deleteMedia',
    source: 'owner',
    rule: { kind: 'owner' },
    scope: 'media:write',
    routes: { 'DELETE /api/v1/media/{mediaId}': 204 },
    selection: 'deletedMediaId',
    cases: files.map((item) => ({
      item,
      call: async (cell) => naming(await afresh(cell, 'ready')),
    })),
  },
  {
    field: 'Query.mediaDownload',
    source: 'owner, or dealers:verify for papers of a verification and nothing else',
    rule: { kind: 'owner', or: 'dealers:verify' },
    scope: 'media:read',
    routes: { 'GET /api/v1/media/{mediaId}/download': 200 },
    selection: 'url expiresAt',
    cases: files.map((item) => ({
      item,
      call: ({ item }) => ({ variables: { mediaId: item?.id }, path: { mediaId: item?.id ?? '' } }),
      meaning: ({ item, who }) => {
        const isVerifier = isInOrder(who) && breadthOf(who, 'dealers:verify') === 'any';
        if (!item || owns(who, item) || item.name === 'mediaPaper' || !isVerifier) return null;
        return { status: 403, code: 'ownership_required' };
      },
    })),
  },
  {
    field: 'Mutation.blockMedia',
    source: 'media:moderate',
    rule: { kind: 'holds', permission: 'media:moderate', reach: 'not_found' },
    routes: { 'POST /api/v1/admin/media/{mediaId}/block': 200 },
    selection: 'media { id state }',
    cases: [
      ...files.map((item) => ({
        item,
        call: async (cell: Cell) => naming(await afresh(cell, 'ready'), { reason: 'Stolen' }),
      })),
      {
        name: 'back',
        item: 'media',
        call: async (cell: Cell) => naming(await afresh(cell, 'blocked'), { unblock: true }),
      },
    ],
  },
];

/** REST writes enum values in lower case. */
function declaring(members: object): Call {
  const body = { filename: 'a.jpg', contentType: 'image/jpeg', ...members };
  return {
    variables: { input: { ...body, purpose: 'LISTING' } },
    body: { ...body, purpose: 'listing' },
  };
}

function naming(mediaId: string, body?: object): Call {
  return { variables: { input: { mediaId, ...body } }, path: { mediaId }, ...(body ? { body } : {}) };
}

function onFiles(bodyOf: (cell: Cell) => object): Case[] {
  return files.map((item) => ({
    item,
    call: (cell: Cell) => naming(cell.item?.id ?? '', bodyOf(cell)),
  }));
}

/** A file like the item, for a call that will be answered and uses it up. */
function afresh({ item, world, isAnswered }: Cell, state: MediaRecord['state']): Promise<string> | string {
  if (!isAnswered || !item) return item?.id ?? '';
  const owner =
    item.owner === 'garage'
      ? ({ type: 'dealer', id: world.garage.id } as const)
      : ({ type: 'user', id: world.ids.seller } as const);
  const isPaper = item.name === 'mediaPaper';
  return storeMedia(world.shop.installation.id, owner, {
    state,
    ...(isPaper ? { purpose: 'verification', kind: 'document' } : {}),
  });
}
