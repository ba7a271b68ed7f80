import { readsDrafts } from '../identity/pageOperations.ts';
import { capabilities, checkCapabilities, checkFileCapabilities, files } from './capabilities.ts';
import type { EntityCell, EntityRow } from './EntityRow.ts';
import { anyIdentity, dealers, holdsAny, known, listings, pages } from './readers.ts';

/** A draft of a page does not exist for callers who cannot read it. */
const isPageFor = ({ who, item }: EntityCell) =>
  item.name === 'page' || (item.name === 'pageDraft' && readsDrafts(who));

/** The fields of an object, the caller's own capabilities, and the id alone, which reveals nothing. */
const rowsOf = (
  row: Pick<EntityRow, 'type' | 'items' | 'rule' | 'scope'>,
  check: NonNullable<EntityRow['check']> = checkCapabilities,
): EntityRow[] => {
  const open = {
    type: row.type,
    items: row.items,
    subgraph: 'identity',
    rule: anyIdentity,
    scope: '*',
  } as const;
  return [
    { ...row, subgraph: 'identity', fields: 'the rest' },
    { ...open, fields: capabilities, check },
    { ...open, fields: { id: '' } },
  ];
};

/** Entities of identity. */
export const identityRows: readonly EntityRow[] = [
  ...rowsOf(
    { type: 'Media', items: files, rule: { kind: 'owner', or: 'media:moderate' }, scope: 'media:read' },
    checkFileCapabilities,
  ),
  ...rowsOf({
    type: 'Listing',
    items: listings,
    rule: { kind: 'owner', or: 'listings:moderate' },
    scope: 'listings:read',
  }),
  ...rowsOf({
    type: 'Dealer',
    items: dealers,
    rule: { kind: 'member', or: 'dealers:read' },
    scope: 'dealer:read',
  }),
  {
    subgraph: 'identity',
    type: 'Dealer',
    fields: { verification: '{ state }' },
    items: ['dealer'],
    rule: { kind: 'member', atLeast: 'owner', or: 'dealers:read' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    fields: { verification: '{ documents { mediaId } }' },
    items: ['dealer'],
    // A caller who cannot see the verification is refused, so only the staff can distinguish the two cases.
    rule: { kind: 'member', atLeast: 'owner', or: 'dealers:verify' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    fields: { payout: '{ accountState }' },
    items: ['dealer'],
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'User',
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
    fields: 'the rest',
    items: listings,
    rule: { kind: 'public' },
    check: known(({ item }) => item.name === 'published'),
  },
  {
    subgraph: 'identity',
    type: 'Page',
    fields: 'the rest',
    items: ['pageDraft', ...pages],
    rule: { kind: 'public' },
    check: known(isPageFor),
  },
  {
    subgraph: 'identity',
    type: 'Page',
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
    fields: { owner: '{ id }' },
    items: ['page'],
    rule: { kind: 'holds any', permissions: ['pages:manage'] },
  },
  {
    subgraph: 'identity',
    type: 'CatalogDealer',
    fields: 'the rest',
    items: dealers,
    rule: { kind: 'public' },
    check: known(({ item }) => item.name === 'dealer'),
  },
];
