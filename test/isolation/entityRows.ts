import { readsDrafts } from './identity/pageOperations.ts';
import type { Item, ItemName, World } from './openWorld.ts';
import { breadthOf, isInOrder, type Person, people, type Who } from './people.ts';
import { owns, type Rule } from './rules.ts';

/** One cell under `_entities`. */
export interface EntityCell {
  readonly world: World;
  readonly who: Who;
  readonly item: Item;
}

/** Fields of an entity type of one subgraph that share a guard. */
export interface EntityRow {
  readonly subgraph: 'identity' | 'seo' | 'translation';
  readonly type: string;
  /** Where the design says what follows. */
  readonly source: string;
  /** Fields, each with its arguments and the selection below it; or whatever no other row of the type names. */
  readonly fields: Readonly<Record<string, string>> | 'the rest';
  readonly items: readonly ItemName[];
  /** Key of the item in this type; its id by default. */
  key?(cell: EntityCell): Readonly<Record<string, string>>;
  rule: Rule | ((cell: EntityCell) => Rule);
  /** Scope that opens it to API clients; none: people only. */
  readonly scope?: string;
  /** The reference itself is anybody's who has an identity, and what is refused there comes first. */
  readonly throughAnyIdentity?: true;
  /** What the entity must be; null for none that the caller may know of. */
  check?(entity: any, cell: EntityCell): void;
}

const listings: readonly ItemName[] = ['garage', 'private', 'published', 'elsewhere', 'never'];
const dealers: readonly ItemName[] = ['dealer', 'dealerElsewhere', 'dealerNever'];
const pages: readonly ItemName[] = ['page', 'pageElsewhere', 'pageNever'];
const itemsOf = { Listing: listings, Dealer: dealers, Page: pages } as const;
/** What the public sees: the others are drafts. */
const isPublic = ({ name }: Item) => name === 'published' || name === 'page';
const anyIdentity: Rule = { kind: 'signed in' };
const editsSeo: Rule = { kind: 'holds', permission: 'seo:edit', reach: 'not_found' };
const readsWork: Rule = { kind: 'holds', permission: 'translations:read', reach: 'object_not_found' };

const holdsAny = (who: Who, ...permissions: string[]) =>
  isInOrder(who) && permissions.some((name) => breadthOf(who, name) === 'any');

const textScopes = ['content:seo', 'content:translate'];

/** settled 10: whether an API client may do something of its dealer's for one of these scopes; a person needs none. */
function hasScope(who: Who, ...names: string[]): boolean {
  const { scopes }: Person = people[who];
  return !scopes || names.some((name) => scopes.includes(name));
}

/** Whether the texts of an item are somebody's to work on. */
const worksOn = (who: Who, item: Item) =>
  owns(who, item) && hasScope(who, ...textScopes, ...(item.type === 'listing' ? ['listings:write'] : []));

/** Whether somebody may read the texts of an item: its owner, the staff for texts, moderators; anybody once published. */
function readsTexts({ who, item }: EntityCell): boolean {
  if (item.where !== 'here') return false;
  if (item.type === 'dealer' || isPublic(item)) return true;
  if (owns(who, item) && hasScope(who, ...textScopes, 'listings:read')) return true;
  return holdsAny(who, 'seo:edit', 'translations:read', 'listings:moderate');
}

/** Whether the work on the translation of an item is the caller's to see. */
function readsWorkOn({ who, item }: EntityCell): boolean {
  if (item.where !== 'here' || !isInOrder(who)) return false;
  const breadth = breadthOf(who, 'translations:read');
  return breadth === 'any' || (breadth === 'own' && owns(who, item));
}

/**
 * Whether somebody sees a live translation as a reader. Strangers do not: nothing that is public leads to one yet, and
 * the owner of an object answers nobody without an identity.
 */
const isLiveFor = ({ who, item }: EntityCell) => isPublic(item) && who !== 'stranger' && isInOrder(who);

/** A draft of a page is nothing to those who may not read it. */
const isPageFor = ({ who, item }: EntityCell) =>
  item.name === 'page' || (item.name === 'pageDraft' && readsDrafts(who));

const capabilities = {
  ownerId: '',
  viewerCanRead: '',
  viewerCanEdit: '',
  viewerOnlyReads: '',
  contentVersion: '',
  content: '{ title }',
};

function checkCapabilities(entity: any, cell: EntityCell): void {
  const { who, item } = cell;
  if (item.where !== 'here') return expect(entity).toBeNull();
  const isReader = readsTexts(cell);
  expect({
    ...entity,
    ownerId: entity.ownerId !== null,
    contentVersion: entity.contentVersion !== null,
    content: entity.content !== null,
  }).toEqual({
    ownerId: isReader,
    viewerCanRead: isReader,
    viewerCanEdit: worksOn(who, item),
    viewerOnlyReads: false,
    contentVersion: isReader,
    content: isReader,
  });
}

/** Present for those who may know of it, null for the others. */
const known = (isKnown: (cell: EntityCell) => boolean) => (entity: any, cell: EntityCell) =>
  expect(entity !== null).toBe(isKnown(cell));

const files: readonly ItemName[] = ['media', 'mediaPaper', 'mediaPrivate', 'mediaElsewhere', 'mediaNever'];

/** A file that nothing shows is its owner's and the moderators'. */
function checkFileCapabilities(entity: any, { who, item }: EntityCell): void {
  if (item.where !== 'here') return expect(entity).toBeNull();
  const isReader = (owns(who, item) && hasScope(who, 'media:read')) || holdsAny(who, 'media:moderate');
  expect({
    ...entity,
    ownerId: entity.ownerId !== null,
    contentVersion: entity.contentVersion !== null,
    content: entity.content !== null,
  }).toEqual({
    ownerId: isReader,
    viewerCanRead: isReader,
    viewerCanEdit: owns(who, item) && hasScope(who, 'media:write'),
    viewerOnlyReads: false,
    contentVersion: isReader,
    content: isReader,
  });
}

const identityRows: readonly EntityRow[] = [
  {
    subgraph: 'identity',
    type: 'Media',
    source: 'identity.md 2.5: owner, papers of a verification its owners; or media:moderate',
    fields: 'the rest',
    items: files,
    rule: { kind: 'owner', or: 'media:moderate' },
    scope: 'media:read',
  },
  {
    subgraph: 'identity',
    type: 'Media',
    source: 'settled 22: any caller is told what he may do',
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
    source: 'identity.md 2.5: owner, or listings:moderate',
    fields: 'the rest',
    items: listings,
    rule: { kind: 'owner', or: 'listings:moderate' },
    scope: 'listings:read',
  },
  {
    subgraph: 'identity',
    type: 'Listing',
    source: 'settled 22: any caller is told what he may do',
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
    source: 'identity.md 2.5: member, or dealers:read',
    fields: 'the rest',
    items: dealers,
    rule: { kind: 'member', or: 'dealers:read' },
    scope: 'dealer:read',
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'settled 22: any caller is told what he may do',
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
    source: 'identity.md 2.2: verification for owners; dealers:read',
    fields: { verification: '{ state }' },
    items: ['dealer'],
    rule: { kind: 'member', atLeast: 'owner', or: 'dealers:read' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'identity.md 2.5: verification documents for owners; dealers:verify',
    fields: { verification: '{ documents { mediaId } }' },
    items: ['dealer'],
    // Who may not see the verification is refused there, and nobody but the staff can tell the two apart.
    rule: { kind: 'member', atLeast: 'owner', or: 'dealers:verify' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'Dealer',
    source: 'identity.md 2.2: payouts for managers; payments:read',
    fields: { payout: '{ accountState }' },
    items: ['dealer'],
    rule: { kind: 'member', atLeast: 'manager', or: 'payments:read' },
    throughAnyIdentity: true,
  },
  {
    subgraph: 'identity',
    type: 'User',
    source: 'identity.md 2.6: any user by id through _entities is the leak to be closed; users:read',
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
    source: 'P11: public; what is not published does not exist',
    fields: 'the rest',
    items: listings,
    rule: { kind: 'public' },
    check: known(({ item }) => item.name === 'published'),
  },
  {
    subgraph: 'identity',
    type: 'Page',
    source: 'settled 12: public for published ones; drafts for those who work on them',
    fields: 'the rest',
    items: ['pageDraft', ...pages],
    rule: { kind: 'public' },
    check: known(isPageFor),
  },
  {
    subgraph: 'identity',
    type: 'Page',
    source: 'settled 22: any caller is told what he may do',
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
    source: 'P14: public; of another installation: nothing',
    fields: 'the rest',
    items: dealers,
    rule: { kind: 'public' },
    check: known(({ item }) => item.name === 'dealer'),
  },
];

const seoRows: readonly EntityRow[] = [
  ...(['Listing', 'Dealer', 'Page'] as const).flatMap((type): EntityRow[] => [
    {
      subgraph: 'seo',
      type,
      source: 'settled 8: seo:edit on the object',
      fields: { seo: '{ keyphrase }' },
      items: itemsOf[type],
      rule: editsSeo,
      scope: 'content:seo',
      check: ({ seo }, { world }) => expect(seo.keyphrase).toBe(world.secret),
    },
    {
      subgraph: 'seo',
      type,
      source: 'a reference needs the identity of a person: an API client asks the owning subgraph',
      fields: 'the rest',
      items: itemsOf[type],
      rule: anyIdentity,
    },
  ]),
  ...(['SeoRecord', 'SeoAnalysisSnapshot'] as const).map(
    (type): EntityRow => ({
      subgraph: 'seo',
      type,
      source: 'settled 8: seo:edit on the object that it is about; of another installation: nothing',
      fields: 'the rest',
      items: ['garage', 'private', 'elsewhere', 'never', 'dealer', 'dealerElsewhere', 'page'],
      key: ({ item }) => ({ id: type === 'SeoRecord' ? item.recordId : item.snapshotId }),
      // A reference to nothing is nothing, not a refusal.
      rule: ({ item }) => (item.where === 'here' ? editsSeo : { kind: 'holds', permission: 'seo:edit' }),
      scope: 'content:seo',
      check: known(({ item }) => item.where === 'here'),
    }),
  ),
];

const work = {
  status: '',
  outdated: '',
  outdatedSince: '',
  changedSourceFields: '',
  source: '{ id }',
  sourceLanguage: '{ code }',
  sourceDigest: '',
  currentSourceDigest: '',
  allowedTransitions: '',
  assigneeId: '',
  note: '',
  dueAt: '',
  history: '{ to }',
  group: '{ id }',
};

const referenceRow = (type: 'Listing' | 'Dealer'): EntityRow => ({
  subgraph: 'translation',
  type,
  source: 'a reference needs the identity of a person: an API client asks the owning subgraph',
  fields: { id: '' },
  items: itemsOf[type],
  rule: anyIdentity,
});

const translationRows: readonly EntityRow[] = [
  {
    subgraph: 'translation',
    type: 'Language',
    source: 'the language projection is public',
    fields: 'the rest',
    items: ['garage'],
    key: () => ({ code: 'de' }),
    rule: { kind: 'public' },
    check: known(() => true),
  },
  {
    subgraph: 'translation',
    type: 'Language',
    source: 'settled 8: languages that readers do not get need the capability over the installation',
    fields: 'the rest',
    items: ['private'],
    key: () => ({ code: 'ar' }),
    rule: { kind: 'public' },
    check: known(({ who }) => holdsAny(who, 'translations:read', 'languages:manage')),
  },
  {
    subgraph: 'translation',
    type: 'Language',
    source: 'how texts are found is for those who read translations',
    fields: { fallbacks: '', resolutionChain: '' },
    items: ['garage'],
    key: () => ({ code: 'de' }),
    rule: { kind: 'holds', permission: 'translations:read' },
    scope: 'content:translate',
  },
  {
    subgraph: 'translation',
    type: 'RelationGroup',
    source: 'translation.md 2.2: read; a group of nobody whom the caller works for is nothing to him',
    fields: 'the rest',
    items: ['garage', 'private', 'elsewhere', 'never', 'dealer', 'dealerElsewhere', 'page'],
    key: ({ item }) => ({ id: item.groupId }),
    rule: { kind: 'holds', permission: 'translations:read' },
    scope: 'content:translate',
    check: known(readsWorkOn),
  },
  {
    subgraph: 'translation',
    type: 'Translation',
    source: 'settled 13: readers get what is live; who works on it, everything',
    fields: 'the rest',
    items: [...listings, 'dealer', 'dealerElsewhere', ...pages],
    key: ({ item }) => ({ id: item.translationId }),
    rule: { kind: 'public' },
    check: known((cell) => isLiveFor(cell) || readsWorkOn(cell)),
  },
  {
    subgraph: 'translation',
    type: 'Translation',
    source: 'settled 13: members about the work need translations:read, and are null of foreign objects',
    fields: work,
    items: ['published'],
    key: ({ item }) => ({ id: item.translationId }),
    rule: (cell) =>
      isLiveFor(cell) ? { kind: 'holds', permission: 'translations:read' } : { kind: 'public' },
    scope: 'content:translate',
    check: (entity, cell) => expect(entity?.status ?? null).toBe(readsWorkOn(cell) ? 'PUBLISHED' : null),
  },
  {
    subgraph: 'translation',
    type: 'Translation',
    source: 'settled 13: of a draft nobody learns anything but who works on it',
    fields: work,
    items: ['garage', 'private', 'elsewhere', 'dealer'],
    key: ({ item }) => ({ id: item.translationId }),
    rule: (cell) => (readsWorkOn(cell) ? readsWork : { kind: 'public' }),
    scope: 'content:translate',
    check: known(readsWorkOn),
  },
  ...(['CatalogListing', 'CatalogDealer'] as const).flatMap((type): EntityRow[] => {
    const items = type === 'CatalogListing' ? listings : dealers;
    const isShown = ({ name }: Item) => name === 'published' || name === 'dealer';
    return [
      {
        subgraph: 'translation',
        type,
        source: 'settled 13: public readers, strangers too; of what they do not see there is no text',
        fields: {
          id: '',
          language: '{ code }',
          translation: '(language: "fr") { translation { id } }',
          alternates: '{ href }',
        },
        items,
        rule: { kind: 'public' },
        check: (entity, { item }) => {
          expect(entity.language !== null).toBe(isShown(item));
          // A dealer's French text is a draft, so that its own words are shown in their place.
          const isLive = item.name === 'published';
          const shown = entity.translation?.translation?.id ?? null;
          expect(isLive ? shown === item.translationId : shown !== item.translationId).toBe(true);
        },
      },
      {
        subgraph: 'translation',
        type,
        source: 'settled 13: the editorial view needs translations:read on the object',
        fields: { translation: '(language: "fr", view: EDITORIAL) { translation { id } }' },
        items,
        rule: readsWork,
        scope: 'content:translate',
        check: ({ translation }, { item }) => expect(translation.translation.id).toBe(item.translationId),
      },
    ];
  }),
  {
    subgraph: 'translation',
    type: 'Page',
    source: 'settled 13: public readers, strangers too',
    fields: {
      id: '',
      language: '{ code }',
      translation: '{ translation { id } }',
      alternates: '{ href }',
    },
    items: pages,
    rule: { kind: 'public' },
    check: (entity, { item }) => expect(entity.language !== null).toBe(item.name === 'page'),
  },
  ...(['Listing', 'Dealer', 'Page'] as const).flatMap((type): EntityRow[] => {
    const items = itemsOf[type];
    return [
      ...(type === 'Page' ? [] : [referenceRow(type)]),
      {
        subgraph: 'translation',
        type,
        source: 'what readers see of what is worked on needs an identity',
        fields: {
          translations: '{ id }',
          ...(type === 'Page'
            ? {}
            : { language: '{ code }', translation: '{ translation { id } }', alternates: '{ href }' }),
        },
        items,
        rule: anyIdentity,
        scope: '*',
        check: (entity, cell) => {
          if (type !== 'Page') expect(entity.language !== null).toBe(readsTexts(cell));
          const live = isPublic(cell.item) ? [{ id: cell.item.translationId }] : [];
          expect(entity.translations).toEqual(live);
        },
      },
      {
        subgraph: 'translation',
        type,
        source: 'settled 13: the group needs translations:read on the object',
        fields: { relationGroup: '{ id }' },
        items,
        rule: readsWork,
        scope: 'content:translate',
        check: ({ relationGroup }, { item }) => expect(relationGroup.id).toBe(item.groupId),
      },
      {
        subgraph: 'translation',
        type,
        source: 'settled 13: the editorial view needs translations:read on the object',
        fields: {
          translations: '(view: EDITORIAL) { id }',
          translation: '(language: "fr", view: EDITORIAL) { translation { id } }',
        },
        items,
        rule: readsWork,
        scope: 'content:translate',
        check: ({ translations }, { item }) => expect(translations).toEqual([{ id: item.translationId }]),
      },
    ];
  }),
];

/** Every entity type of every subgraph, with the guard of each of its fields. */
export const entityRows: readonly EntityRow[] = [...identityRows, ...seoRows, ...translationRows];
