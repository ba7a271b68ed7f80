import { isMember, owns, type Rule } from '../matrix/rules.ts';
import type { Item } from '../world/Item.ts';
import { breadthOf, isInOrder } from '../world/people.ts';
import type { EntityCell, EntityRow } from './EntityRow.ts';
import {
  anyIdentity,
  dealers,
  holdsAny,
  isPublic,
  itemsOf,
  known,
  listings,
  pages,
  readsTexts,
} from './readers.ts';

const readsWork: Rule = { kind: 'holds', permission: 'translations:read', reach: 'object_not_found' };

/** Whether the caller can see unpublished translations of the item. */
function readsWorkOn({ who, item }: EntityCell): boolean {
  if (item.where !== 'here' || !isInOrder(who)) return false;
  const breadth = breadthOf(who, 'translations:read');
  return breadth === 'any' || (breadth === 'own' && owns(who, item));
}

/** Whether the item belongs to the caller's dealer, and the caller has the permissions of a member. */
function isColleagueAt({ who, item }: EntityCell): boolean {
  return isMember(who, item) && isInOrder(who) && breadthOf(who, 'translations:read') !== null;
}

/** Whether a caller sees a live translation as a reader. Anonymous callers do not, because objects require an identity. */
const isLiveFor = ({ who, item }: EntityCell) => isPublic(item) && who !== 'stranger' && isInOrder(who);

const work = {
  status: '',
  outdated: '',
  outdatedSince: '',
  changedSourceFields: '',
  source: '{ objectId }',
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

const referenceRow = (type: 'Listing' | 'Dealer' | 'Media'): EntityRow => ({
  subgraph: 'translation',
  type,
  fields: { id: '' },
  items: itemsOf[type],
  rule: anyIdentity,
});

/** Texts for the subgraph that analyses them. */
const textsToAnalyse = (type: string, items: EntityRow['items']): EntityRow => ({
  subgraph: 'translation',
  type,
  fields: { textIn: '(language: "fr") { available text { draft words { title } } }' },
  items,
  rule: { kind: 'holds', permission: 'seo:edit' },
  scope: 'content:seo',
  check: ({ textIn }, cell) => {
    // The subgraph that owns the dealer decides which members have access, and is asked first.
    const isSeen = isLiveFor(cell) || readsWorkOn(cell) || isColleagueAt(cell);
    expect([textIn.text !== null, textIn.available.includes('fr')]).toEqual([isSeen, isSeen]);
  },
});

/** Entities of translation. */
export const translationRows: readonly EntityRow[] = [
  {
    subgraph: 'translation',
    type: 'Language',
    fields: 'the rest',
    items: ['garage'],
    key: () => ({ code: 'de' }),
    rule: { kind: 'public' },
    check: known(() => true),
  },
  {
    subgraph: 'translation',
    type: 'Language',
    fields: 'the rest',
    items: ['private'],
    key: () => ({ code: 'ar' }),
    rule: { kind: 'public' },
    check: known(({ who }) => holdsAny(who, 'translations:read', 'languages:manage')),
  },
  {
    subgraph: 'translation',
    type: 'Language',
    fields: { fallbacks: '', resolutionChain: '' },
    items: ['garage'],
    key: () => ({ code: 'de' }),
    rule: { kind: 'holds', permission: 'translations:read' },
    scope: 'content:translate',
  },
  {
    subgraph: 'translation',
    type: 'RelationGroup',
    fields: 'the rest',
    items: ['garage', 'private', 'elsewhere', 'never', 'dealer', 'dealerElsewhere', 'page', 'media'],
    key: ({ item }) => ({ id: item.groupId }),
    rule: { kind: 'holds', permission: 'translations:read' },
    scope: 'content:translate',
    check: known(readsWorkOn),
  },
  {
    subgraph: 'translation',
    type: 'Translation',
    fields: 'the rest',
    items: [...listings, 'dealer', 'dealerElsewhere', ...pages, 'media', 'mediaElsewhere'],
    key: ({ item }) => ({ id: item.translationId }),
    rule: { kind: 'public' },
    check: known((cell) => isLiveFor(cell) || readsWorkOn(cell)),
  },
  {
    subgraph: 'translation',
    type: 'Translation',
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
    fields: work,
    items: ['garage', 'private', 'elsewhere', 'dealer', 'media'],
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
          // A dealer's French text is a draft, so the original text is shown instead.
          const isLive = item.name === 'published';
          const shown = entity.translation?.translation?.id ?? null;
          expect(isLive ? shown === item.translationId : shown !== item.translationId).toBe(true);
        },
      },
      {
        subgraph: 'translation',
        type,
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
  ...(['Listing', 'Dealer', 'Media', 'Page'] as const).flatMap((type): EntityRow[] => {
    const items = itemsOf[type];
    return [
      ...(type === 'Page' ? [] : [referenceRow(type)]),
      {
        subgraph: 'translation',
        type,
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
        fields: { relationGroup: '{ id }' },
        items,
        rule: readsWork,
        scope: 'content:translate',
        check: ({ relationGroup }, { item }) => expect(relationGroup.id).toBe(item.groupId),
      },
      {
        subgraph: 'translation',
        type,
        fields: {
          translations: '(view: EDITORIAL) { id }',
          translation: '(language: "fr", view: EDITORIAL) { translation { id } }',
        },
        items,
        rule: readsWork,
        scope: 'content:translate',
        check: ({ translations }, { item }) => expect(translations).toEqual([{ id: item.translationId }]),
      },
      // Texts of files are not analysed.
      ...(type === 'Media' ? [] : [textsToAnalyse(type, items)]),
    ];
  }),
  {
    subgraph: 'translation',
    type: 'Media',
    fields: { language: '{ code }' },
    items: ['mediaPaper'],
    rule: anyIdentity,
    scope: '*',
    check: (entity, cell) => expect(entity.language !== null).toBe(readsTexts(cell)),
  },
  {
    subgraph: 'translation',
    type: 'SeoRecord',
    fields: 'the rest',
    items: ['garage', 'private', 'elsewhere', 'never', 'dealer', 'dealerElsewhere', 'page'],
    key: ({ item }) => ({
      id: item.recordId,
      objectType: item.type.toUpperCase(),
      objectId: item.id,
      locale: 'en',
    }),
    // A reference to a missing record is null, not a refusal.
    rule: ({ item }) =>
      item.where === 'here'
        ? { kind: 'holds', permission: 'seo:edit', reach: 'not_found' }
        : { kind: 'holds', permission: 'seo:edit' },
    scope: 'content:seo',
    check: known(({ item }) => item.where === 'here'),
  },
];
