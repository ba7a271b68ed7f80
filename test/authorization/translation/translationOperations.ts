import type { Item, ItemName } from '../Item.ts';
import type { Case, Operation } from '../Operation.ts';
import { breadthOf, type Who } from '../people.ts';
import { owns, type Rule } from '../rules.ts';
import { everyItem, itemOf, listings, newListing, reads, upper } from './objects.ts';

const contributes: Rule = {
  kind: 'holds',
  permission: 'translations:contribute',
  reach: 'translation_not_found',
};
/** over the whole installation. */
const readsEverything: Rule = { kind: 'holds any', permissions: ['translations:read'] };
const managesTexts = (who: Who) => breadthOf(who, 'translations:manage') !== null;

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

/** Translations. */
export const translationOperations: readonly Operation[] = [
  {
    field: 'Query.translation',
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
    rule: contributes,
    scope: 'content:translate',
    routes: { 'PUT {rest_root}/translation/v1/translations': 200 },
    selection: 'translation { id }',
    cases: onTranslations(everyItem, { status: 'draft', note: 'replaced' }),
  },
  {
    field: 'Mutation.changeTranslationStatus',
    rule: contributes,
    scope: 'content:translate',
    routes: { 'PATCH {rest_root}/translation/v1/translations': 200 },
    selection: 'translation { id }',
    cases: onTranslations(everyItem, { note: 'changed' }),
  },
  {
    field: 'Mutation.updateTranslationContent',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: everyItem.map((item) => ({
      item,
      call: async (cell) => {
        const { translationId: id, type } = itemOf(cell);
        const found = cell.isAnswered ? await cell.world.versionOf('translations', id) : 1;
        const fields = { [type === 'media' ? 'altText' : 'description']: `Texte de ${cell.who}` };
        return { variables: { input: { id, expectedVersion: found, fields } } };
      },
    })),
  },
  {
    field: 'Query.translations',
    rule: readsEverything,
    selection: 'nodes { id }',
    check: (data, { world: { items } }) => {
      const found = data.nodes.map(({ id }: { id: string }) => id);
      expect(found).not.toContain(items.elsewhere.translationId);
    },
  },
  {
    field: 'Query.translationCoverage',
    rule: readsEverything,
    selection: 'language { code } total',
    cases: ['LISTING', 'MEDIA'].map((objectType) => ({
      name: objectType,
      call: () => ({ variables: { objectType } }),
    })),
  },
  {
    field: 'Mutation.bulkChangeTranslationStatus',
    rule: { kind: 'holds', permission: 'translations:contribute' },
    scope: 'content:translate',
    selection: 'updated { id } errors { id code }',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => ({ variables: { input: { ids: [itemOf(cell).translationId], status: 'DRAFT' } } }),
      check: (data, { who, item }) => {
        const isMine = breadthOf(who, 'translations:contribute') === 'any' || (item && owns(who, item));
        const code = item?.where === 'here' ? 'ownership_required' : 'translation_not_found';
        const id = item?.translationId;
        if (item?.where === 'here' && isMine) expect(data).toEqual({ updated: [{ id }], errors: [] });
        else expect(data).toEqual({ updated: [], errors: [{ id, code }] });
      },
    })),
  },
  {
    field: 'Mutation.markTranslationsOutdated',
    rule: { kind: 'holds', permission: 'translations:manage' },
    scope: 'content:translate',
    selection: 'updated { id } errors { code }',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => ({ variables: { input: { groupId: itemOf(cell).groupId } } }),
      meaning: ({ item }) => (item?.where === 'here' ? null : { status: 404, code: 'relation_not_found' }),
      check: (data, { who, item }) => {
        const isMine = breadthOf(who, 'translations:manage') === 'any' || (item && owns(who, item));
        if (isMine) expect(data.errors).toEqual([]);
        else {
          expect(data.updated).toEqual([]);
          expect(new Set(data.errors.map(({ code }: { code: string }) => code))).toEqual(
            new Set(['ownership_required']),
          );
        }
      },
    })),
  },
  {
    field: 'Mutation.acknowledgeSourceChange',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => {
        const input = { id: itemOf(cell).translationId, sourceDigest: `v1:${'a'.repeat(43)}` };
        return { variables: { input } };
      },
      meaning: ({ who }) => (managesTexts(who) ? null : { status: 403, code: 'not_assignee' }),
    })),
  },
  {
    field: 'Mutation.assignTranslation',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: everyItem.map((item) => ({
      item,
      call: (cell) => ({ variables: { input: { id: itemOf(cell).translationId, assigneeId: null } } }),
    })),
  },
];
