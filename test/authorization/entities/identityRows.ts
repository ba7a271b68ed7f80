import { readsDrafts } from '../identity/pageOperations.ts';
import { capabilities, checkCapabilities, checkFileCapabilities, files } from './capabilities.ts';
import type { EntityCell, EntityRow } from './EntityRow.ts';
import { anyIdentity, dealers, holdsAny, known, listings, pages } from './readers.ts';

/** A draft of a page is nothing to those who may not read it. */
const isPageFor = ({ who, item }: EntityCell) =>
  item.name === 'page' || (item.name === 'pageDraft' && readsDrafts(who));

/** Entities of identity. */
export const identityRows: readonly EntityRow[] = [
  {
    subgraph: 'identity',
    type: 'Media',
    source: 'owner, papers of a verification its owners; or media:moderate',
    fields: 'the rest',
    items: files,
    rule: { kind: 'owner', or: 'media:moderate' },
    scope: 'media:read',
  },
  {
    subgraph: 'identity',
    type: 'Media',
    source: 'any caller is told what he may do',
    fields: capabilities,
    items: files,
    rule: anyIdentity,
    scope: '*',
    check: checkFileCapabilities,
  },
  {
    subgraph: 'identity',
    type: 'Media',
    source: 'an id says nothing; a reference needs an identity',
    fields: { id: '' },
    items: files,
    rule: anyIdentity,
    scope: '*',
  },
  {
    subgraph: 'identity',
    type: 'Listing',
    source: 'owner, or listings:moderate',
    fields: 'the rest',
    items: listings,
    rule: { kind: 'owner', or: 'listings:moderate' },
    scope: 'listings:read',
  },
  {
    subgraph: 'identity',
    type: 'Listing',
    source: 'any caller is told what he may do',
    fields: capabilities,
    items: listings,
    rule: anyIdentity,
    scope: '*',
    check: checkCapabilities,
  },
  {
    subgraph: 'identity',
    type: 'Listing',
    source: 'an id says nothing; a reference needs an identity',
    fields: { id: '' },
    items: listings,
    rule: anyIdentity,
    scope: '*',
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'member, or dealers:read',
    fields: 'the rest',
    items: dealers,
    rule: { kind: 'member', or: 'dealers:read' },
    scope: 'dealer:read',
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'any caller is told what he may do',
    fields: capabilities,
    items: dealers,
    rule: anyIdentity,
    scope: '*',
    check: checkCapabilities,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'an id says nothing; a reference needs an identity',
    fields: { id: '' },
    items: dealers,
    rule: anyIdentity,
    scope: '*',
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'verification for owners; dealers:read',
    fields: { verification: '{ state }' },
    items: ['dealer'],
    rule: { kind: 'member', atLeast: 'owner', or: 'dealers:read' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'verification documents for owners; dealers:verify',
    fields: { verification: '{ documents { mediaId } }' },
    items: ['dealer'],
    // Who may not see the verification is refused there, and nobody but the staff can tell the two apart.
    rule: { kind: 'member', atLeast: 'owner', or: 'dealers:verify' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'payouts for managers; payments:read',
    fields: { payout: '{ accountState }' },
    items: ['dealer'],
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'User',
    source: 'any user by id through _entities is the leak to be closed; users:read',
    fields: 'the rest',
    items: ['private', 'elsewhere', 'never'],
    key: ({ world, item }) => ({ id: world.ids[item.name === 'private' ? 'seller' : 'foreigner'] }),
    rule: ({ item }) =>
      item.name === 'private'
        ? { kind: 'self', who: 'seller', or: 'users:read' }
        : { kind: 'owner', or: 'users:read' },
  },
  {
    subgraph: 'identity',
    type: 'CatalogListing',
    source: 'public; what is not published does not exist',
    fields: 'the rest',
    items: listings,
    rule: { kind: 'public' },
    check: known(({ item }) => item.name === 'published'),
  },
  {
    subgraph: 'identity',
    type: 'Page',
    source: 'public for published ones; drafts for those who work on them',
    fields: 'the rest',
    items: ['pageDraft', ...pages],
    rule: { kind: 'public' },
    check: known(isPageFor),
  },
  {
    subgraph: 'identity',
    type: 'Page',
    source: 'any caller is told what he may do',
    fields: capabilities,
    items: ['pageDraft', ...pages],
    rule: (cell) => (isPageFor(cell) ? anyIdentity : { kind: 'public' }),
    scope: '*',
    check: (entity, cell) => {
      if (!isPageFor(cell)) return expect(entity).toBeNull();
      const isEditor = holdsAny(cell.who, 'pages:manage');
      expect(entity).toMatchObject({ viewerCanRead: true, viewerCanEdit: isEditor, content: {} });
    },
  },
  {
    subgraph: 'identity',
    type: 'Page',
    source: 'who made a page is for those who work on pages',
    fields: { owner: '{ id }' },
    items: ['page'],
    rule: { kind: 'holds any', permissions: ['pages:manage'] },
  },
  {
    subgraph: 'identity',
    type: 'CatalogDealer',
    source: 'public; of another installation: nothing',
    fields: 'the rest',
    items: dealers,
    rule: { kind: 'public' },
    check: known(({ item }) => item.name === 'dealer'),
  },
];
