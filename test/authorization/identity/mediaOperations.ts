import type { MediaRecord } from '../../../subgraphs/identity/media/model.ts';
import { storeMedia } from '../../support/people/storeMedia.ts';
import { idsIn, isItem, ofDealers, once, onEach, onFresh, reading, writing } from '../matrix/calls.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import { isMember, owns } from '../matrix/rules.ts';
import { type ItemName, namesOf } from '../world/Item.ts';
import { foreign, invalid, onlyMembers, roleRequired } from '../world/meanings.ts';
import { breadthOf, isInOrder } from '../world/people.ts';

const files: readonly ItemName[] = ['media', 'mediaPaper', 'mediaPrivate', 'mediaElsewhere', 'mediaNever'];
const dealers = namesOf('dealer');

/** Files. Those of a dealer belong to every member, and papers of a verification to its owners. */
export const mediaOperations: readonly Operation[] = [
  {
    field: 'Mutation.createMedia',
    rule: { kind: 'signed in' },
    scope: 'media:write',
    selection: 'media { id upload { url } }',
    cases: [
      once(() => declaring({}), { name: 'privately' }),
      ...onEach(dealers, (dealerId) => declaring({ dealerId }), {
        meaning: ({ item, who }) => {
          if (item?.where !== 'here') return invalid;
          return isMember(who, item) ? null : roleRequired;
        },
      }),
    ],
  },
  {
    field: 'Mutation.completeMediaUpload',
    rule: { kind: 'owner' },
    scope: 'media:write',
    selection: 'media { id }',
    cases: onEach(files, (mediaId) => writing({ mediaId }, {})),
    check: (data, cell) => isItem(data.media ?? data, cell),
  },
  {
    field: 'Query.mediaLibrary',
    rule: { kind: 'signed in' },
    scope: 'media:read',
    selection: 'nodes { id }',
    cases: ofDealers(dealers, onlyMembers),
    check: (data, { who, world }) => {
      const listed = new Set(idsIn(data));
      for (const name of files) {
        const item = world.items[name];
        // A file of the caller can be on a later page. One of another owner is on no page.
        if (item.where !== 'here' || !owns(who, item)) expect(listed.has(item.id)).toBe(false);
      }
    },
  },
  {
    field: 'Query.media',
    rule: { kind: 'owner', or: 'media:moderate' },
    scope: 'media:read',
    selection: 'id filename',
    cases: onEach(files, (mediaId) => reading({ mediaId })),
    check: isItem,
  },
  {
    field: 'Mutation.updateMedia',
    rule: { kind: 'owner' },
    scope: 'media:write',
    selection: 'media { id }',
    cases: onEach(files, (mediaId, { who }) => writing({ mediaId }, { filename: `by ${who}.jpg` })),
  },
  {
    field: 'Mutation.deleteMedia',
    rule: { kind: 'owner' },
    scope: 'media:write',
    selection: 'deletedMediaId',
    cases: onFresh(files, storeLike('ready'), (mediaId) => writing({ mediaId })),
  },
  {
    field: 'Query.mediaDownload',
    rule: { kind: 'owner', or: 'dealers:verify' },
    scope: 'media:read',
    selection: 'url expiresAt',
    cases: onEach(files, (mediaId) => reading({ mediaId }), {
      // `dealers:verify` allows access only to the papers of a verification.
      meaning: ({ item, who }) => {
        const isVerifier = isInOrder(who) && breadthOf(who, 'dealers:verify') === 'any';
        return !item || owns(who, item) || item.name === 'mediaPaper' || !isVerifier ? null : foreign;
      },
    }),
  },
  {
    field: 'Mutation.blockMedia',
    rule: { kind: 'holds', permission: 'media:moderate', reach: 'not_found' },
    selection: 'media { id state }',
    cases: [
      ...onFresh(files, storeLike('ready'), (mediaId) => writing({ mediaId }, { reason: 'Stolen' })),
      ...onFresh(['media'], storeLike('blocked'), (mediaId) => writing({ mediaId }, { unblock: true }), {
        name: 'back',
      }),
    ],
  },
];

function declaring(members: object) {
  const body = { filename: 'a.jpg', contentType: 'image/jpeg', ...members };
  return writing({}, { ...body, purpose: 'listing' }, { purpose: 'LISTING' });
}

/** Stores a file like the item. */
function storeLike(state: MediaRecord['state']) {
  return ({ item, world }: Cell): Promise<string> => {
    const owner =
      item?.owner === 'garage'
        ? ({ type: 'dealer', id: world.garage.id } as const)
        : ({ type: 'user', id: world.ids.seller } as const);
    const paper = { purpose: 'verification', kind: 'document' } as const;
    const changes = { state, ...(item?.name === 'mediaPaper' && paper) };
    return storeMedia(world.shop.installation.id, owner, changes);
  };
}
