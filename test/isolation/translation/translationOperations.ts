import type { Item, ItemName } from '../Item.ts';
import type { Case, Operation } from '../Operation.ts';
import { breadthOf } from '../people.ts';
import { owns, type Rule } from '../rules.ts';
import { everyItem, itemOf, listings, newListing, reads, upper } from './objects.ts';

const contributes: Rule = {
  kind: 'holds',
  permission: 'translations:contribute',
  reach: 'translation_not_found',
};
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

/** Translations: translation.md 2.2, settled 8 and 13. */
export const translationOperations: readonly Operation[] = [
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
