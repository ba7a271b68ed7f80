import type { Case, Cell, Operation } from './Operation.ts';
import type { Item, ItemName } from './openWorld.ts';
import { breadthOf, isInOrder } from './people.ts';
import { owns, type Rule } from './rules.ts';

const reads = (reach: 'object_not_found' | 'relation_not_found' | 'translation_not_found'): Rule => ({
  kind: 'holds',
  permission: 'translations:read',
  reach,
});
const manages: Rule = { kind: 'holds', permission: 'translations:manage', reach: 'object_not_found' };
const contributes: Rule = {
  kind: 'holds',
  permission: 'translations:contribute',
  reach: 'translation_not_found',
};
/** settled 8: installation-wide lists need the capability over the whole installation. */
const readsAllLanguages: Rule = {
  kind: 'holds any',
  permissions: ['translations:read', 'languages:manage', 'translations:manage'],
};
const everyItem: readonly ItemName[] = [
  'garage',
  'private',
  'elsewhere',
  'never',
  'dealer',
  'dealerElsewhere',
  'dealerNever',
];
const listings: readonly ItemName[] = ['garage', 'private', 'elsewhere', 'never'];

const upper = ({ type, id }: Item) => ({ type: type.toUpperCase(), id });
const lower = ({ type, id }: Item) => ({ type, id });
const itemOf = ({ item }: Cell): Item => {
  if (!item) throw new Error('This case has no item.');
  return item;
};

const create = `mutation ($input: CreateTranslationInput!) { createTranslation(input: $input) { translation { id } } }`;

/** An object of the item's owner in a language of its own, new. */
const newListing = async ({ world, item }: Cell, language: string): Promise<string> =>
  item ? (await world.draft(item, { language })).id : '';

/** Two objects to be linked: new ones if the design lets them be. */
async function pairOf(cell: Cell, relatedTo: Item) {
  const { isAnswered, world } = cell;
  const item = itemOf(cell);
  const id = isAnswered ? await newListing(cell, 'de') : item.id;
  const related = isAnswered ? (await world.draft(relatedTo, { language: 'en' })).id : relatedTo.id;
  const input = (upper: boolean) => {
    const type = upper ? 'LISTING' : 'listing';
    return { object: { type, id }, relatedTo: { type, id: related } };
  };
  return { variables: { input: input(true) }, body: input(false) };
}

/** A translation of the item, named by its id, with a change. */
function onTranslations(names: readonly ItemName[], change: Readonly<Record<string, string>>): Case[] {
  return names.map((item) => ({
    item,
    call: (cell) => {
      const id = itemOf(cell).translationId;
      const { status, ...rest } = change;
      return {
        variables: { input: { id, ...(status ? { status: status.toUpperCase() } : {}), ...rest } },
        query: { id },
        body: change,
      };
    },
  }));
}

/** Interface C: translation.md 2.2, settled 8 and 13. */
export const translationOperations: readonly Operation[] = [
  {
    field: 'Query.languages',
    source: 'the language projection is public; scope=all: 401, 403',
    rule: { kind: 'public' },
    routes: { 'GET {rest_root}/translation/v1/languages': 200 },
    selection: 'items { code }',
    cases: [
      {
        name: 'active',
        call: () => ({ variables: {} }),
        check: (data) => expect(codesIn(data)).toEqual(['en', 'de', 'fr']),
      },
      {
        name: 'all',
        rule: readsAllLanguages,
        call: () => ({ variables: { scope: 'ALL' }, query: { scope: 'all' } }),
        check: (data) => expect(codesIn(data)).toEqual(['en', 'de', 'fr', 'ar']),
      },
    ],
  },
  {
    field: 'Query.language',
    source: 'public; a language that readers do not get yet is for those who may read all of them',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [
      {
        name: 'active',
        call: () => ({ variables: { code: 'de' } }),
        check: (data) => expect(data.code).toBe('de'),
      },
      {
        name: 'inactive',
        call: () => ({ variables: { code: 'ar' } }),
        check: (data, cell) => expect(data?.code ?? null).toBe(knowsAllLanguages(cell) ? 'ar' : null),
      },
    ],
  },
  {
    field: 'Query.defaultLanguage',
    source: 'the language projection is public',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Query.negotiateLanguage',
    source: 'the language projection is public',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [{ call: () => ({ variables: { acceptLanguage: 'de' } }) }],
  },
  {
    field: 'Query.relationGroup',
    source: 'translation.md 2.2: GET /relations needs read',
    rule: reads('object_not_found'),
    scope: 'content:translate',
    routes: { 'GET {rest_root}/translation/v1/relations': 200 },
    selection: 'id',
    cases: [
      ...everyItem.map(
        (item): Case => ({
          name: 'by object',
          item,
          call: (cell) => {
            const { type, id } = itemOf(cell);
            return {
              variables: { objectType: type.toUpperCase(), objectId: id },
              query: { objectType: type, objectId: id },
            };
          },
        }),
      ),
      ...everyItem.map(
        (item): Case => ({
          name: 'by id',
          item,
          rule: reads('relation_not_found'),
          call: (cell) => {
            const { groupId } = itemOf(cell);
            return { variables: { groupId }, query: { groupId } };
          },
        }),
      ),
    ],
    check: (data, { item }) => expect(data.id).toBe(item?.groupId),
  },
  {
    field: 'Query.translation',
    source: 'translation.md 2.2: read',
    rule: reads('translation_not_found'),
    scope: 'content:translate',
    selection: 'id',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => ({ variables: { id: itemOf(cell).translationId } }),
    })),
    check: (data, { item }) => expect(data.id).toBe(item?.translationId),
  },
  {
    field: 'Query.resolveTranslation',
    source: 'translation.md 2.2: GET /translations needs read',
    rule: reads('object_not_found'),
    scope: 'content:translate',
    routes: { 'GET {rest_root}/translation/v1/translations': 200 },
    selection: '__typename ... on ResolvedTranslation { translation { id fields { title } } }',
    cases: [
      ...everyItem.map(
        (item): Case => ({
          name: 'by object',
          item,
          call: (cell) => {
            const { type, id } = itemOf(cell);
            return {
              variables: {
                objectType: type.toUpperCase(),
                objectId: [id],
                language: 'fr',
                view: 'EDITORIAL',
              },
              query: { objectType: type, objectId: id, language: 'fr', view: 'editorial' },
            };
          },
        }),
      ),
      ...everyItem.map(
        (item): Case => ({
          name: 'by id',
          item,
          rule: reads('translation_not_found'),
          call: (cell) => {
            const id = itemOf(cell).translationId;
            return { variables: { id }, query: { id } };
          },
        }),
      ),
    ],
    check: (data, { item }) => expect((data.translation ?? data).id).toBe(item?.translationId),
  },
  {
    field: 'Query.resolveTranslations',
    source: 'translation.md 2.2: read; every object has its entry and its reason',
    rule: { kind: 'holds', permission: 'translations:read' },
    scope: 'content:translate',
    selection: 'reason translation { id }',
    cases: [
      {
        call: ({ world }) => ({
          variables: {
            objects: everyItem.map((name) => upper(world.items[name])),
            language: 'fr',
            view: 'EDITORIAL',
          },
        }),
        check: (data, { who, world }) => {
          const isMine = (item: Item) => breadthOf(who, 'translations:read') === 'any' || owns(who, item);
          expect(data).toEqual(
            everyItem.map((name) => {
              const item = world.items[name];
              if (item.where !== 'here') return { reason: 'OBJECT_NOT_FOUND', translation: null };
              if (!isMine(item)) return { reason: 'OWNERSHIP_REQUIRED', translation: null };
              return { reason: null, translation: { id: item.translationId } };
            }),
          );
        },
      },
    ],
  },
  {
    field: 'Mutation.linkRelation',
    source: 'translation.md 2.2: manage, with edit rights on every object that is changed',
    rule: manages,
    scope: 'content:translate',
    routes: { 'POST {rest_root}/translation/v1/relations': 201 },
    selection: 'created',
    cases: [
      ...listings.map(
        (item): Case => ({ name: 'among own ones', item, call: (cell) => pairOf(cell, itemOf(cell)) }),
      ),
      {
        name: 'with an object of somebody else',
        item: 'garage',
        call: (cell) => pairOf(cell, cell.world.items.private),
        meaning: ({ who }) =>
          breadthOf(who, 'translations:manage') === 'any'
            ? null
            : { status: 403, code: 'ownership_required' },
      },
      ...(['elsewhere', 'never'] as const).map(
        (other): Case => ({
          name: `with an object ${other}`,
          item: 'garage',
          call: ({ world, ...cell }) => {
            const [object, relatedTo] = [itemOf({ world, ...cell }), world.items[other]];
            return {
              variables: { input: { object: upper(object), relatedTo: upper(relatedTo) } },
              body: { object: lower(object), relatedTo: lower(relatedTo) },
            };
          },
          meaning: () => ({ status: 404, code: 'related_object_not_found' }),
        }),
      ),
    ],
  },
  {
    field: 'Mutation.unlinkRelation',
    source: 'translation.md 2.2: manage, with edit rights on every object that is changed',
    rule: manages,
    scope: 'content:translate',
    routes: { 'DELETE {rest_root}/translation/v1/relations': 200 },
    selection: 'removed { objectId }',
    cases: listings.map((item) => ({
      item,
      call: async (cell) => {
        const objectId = cell.isAnswered ? await newPair(cell) : itemOf(cell).id;
        return {
          variables: { input: { objectType: 'LISTING', objectId } },
          query: { objectType: 'listing', objectId },
        };
      },
    })),
  },
  {
    field: 'Mutation.createTranslation',
    source: 'translation.md 2.2: POST /translations needs contribute',
    rule: { kind: 'holds', permission: 'translations:contribute', reach: 'object_not_found' },
    scope: 'content:translate',
    routes: { 'POST {rest_root}/translation/v1/translations': 201 },
    selection: 'translation { id }',
    cases: listings.map((item) => ({
      item,
      call: async (cell) => {
        const id = cell.isAnswered ? await newListing(cell, 'en') : itemOf(cell).id;
        const input = (type: string) => ({ source: { type, id }, language: 'de' });
        return { variables: { input: input('LISTING') }, body: input('listing') };
      },
    })),
  },
  {
    field: 'Mutation.replaceTranslationState',
    source: 'translation.md 2.2: PUT /translations needs contribute',
    rule: contributes,
    scope: 'content:translate',
    routes: { 'PUT {rest_root}/translation/v1/translations': 200 },
    selection: 'translation { id }',
    cases: onTranslations(everyItem, { status: 'draft', note: 'replaced' }),
  },
  {
    field: 'Mutation.changeTranslationStatus',
    source: 'translation.md 2.2: PATCH /translations needs contribute',
    rule: contributes,
    scope: 'content:translate',
    routes: { 'PATCH {rest_root}/translation/v1/translations': 200 },
    selection: 'translation { id }',
    cases: onTranslations(everyItem, { note: 'changed' }),
  },
  {
    field: 'Mutation.updateTranslationContent',
    source: 'translation.md 2.2: contribute; the texts are edited in GraphQL',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: everyItem.map((item) => ({
      item,
      call: async (cell) => {
        const { translationId: id } = itemOf(cell);
        const found = cell.isAnswered ? await cell.world.versionOf('translations', id) : 1;
        const fields = { description: `Texte de ${cell.who}` };
        return { variables: { input: { id, expectedVersion: found, fields } } };
      },
    })),
  },
];

function codesIn(data: any): string[] {
  return (data.items ?? data.data).map(({ code }: { code: string }) => code);
}

function knowsAllLanguages({ who, style }: Cell): boolean {
  return style === 'graphql' && isInOrder(who) && breadthOf(who, 'translations:read') === 'any';
}

/** A new object with a translation; answers the id of the object. */
async function newPair(cell: Cell): Promise<string> {
  const id = await newListing(cell, 'en');
  await cell.world.translate(create, { input: { source: { type: 'LISTING', id }, language: 'de' } });
  return id;
}
