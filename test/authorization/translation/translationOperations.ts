import { asking, idsIn, onEach, onFresh, writing } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { owns, type Rule } from '../matrix/rules.ts';
import type { Item, ItemName } from '../world/Item.ts';
import { breadthOf, type Who } from '../world/people.ts';
import { everyItem, itemOf, listings, newListing, reads, upper } from './objects.ts';

const contributes: Rule = {
  kind: 'holds',
  permission: 'translations:contribute',
  reach: 'translation_not_found',
};
/** Rule with the permission for the whole installation. */
const readsEverything: Rule = { kind: 'holds any', permissions: ['translations:read'] };
const managesTexts = (who: Who) => breadthOf(who, 'translations:manage') !== null;

/** A change of the item's translation, by its id. */
function onTranslations(names: readonly ItemName[], change: object, inGraphql: object = {}): Case[] {
  return onEach(names, (_, cell) => {
    const { path: query, ...call } = writing({ id: itemOf(cell).translationId }, change, inGraphql);
    return { ...call, ...(query && { query }) };
  });
}

/** Translations. */
export const translationOperations: readonly Operation[] = [
  {
    field: 'Query.translation',
    rule: reads('translation_not_found'),
    scope: 'content:translate',
    selection: 'id',
    cases: onEach(everyItem, (_, cell) => ({ variables: { id: itemOf(cell).translationId } })),
    check: (data, { item }) => expect(data.id).toBe(item?.translationId),
  },
  {
    field: 'Query.resolveTranslation',
    rule: reads('object_not_found'),
    scope: 'content:translate',
    selection: '__typename ... on ResolvedTranslation { translation { id fields { title } } }',
    cases: [
      ...onEach(
        everyItem,
        (objectId, cell) => {
          const query = { objectType: itemOf(cell).type, objectId, language: 'fr', view: 'editorial' };
          const objectType = query.objectType.toUpperCase();
          return { variables: { ...query, objectType, objectId: [objectId], view: 'EDITORIAL' }, query };
        },
        { name: 'by object' },
      ),
      ...onEach(everyItem, (_, cell) => asking({ id: itemOf(cell).translationId }), {
        name: 'by id',
        rule: reads('translation_not_found'),
      }),
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
    selection: 'translation { id }',
    cases: onFresh(
      listings,
      (cell) => newListing(cell, 'en'),
      (id) => {
        const body = { source: { type: 'listing', id }, language: 'de' };
        return writing({}, body, { source: { type: 'LISTING', id } });
      },
    ),
  },
  {
    field: 'Mutation.replaceTranslationState',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: onTranslations(everyItem, { status: 'draft', note: 'replaced' }, { status: 'DRAFT' }),
  },
  {
    field: 'Mutation.changeTranslationStatus',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: onTranslations(everyItem, { note: 'changed' }),
  },
  {
    field: 'Mutation.updateTranslationContent',
    rule: contributes,
    scope: 'content:translate',
    selection: 'translation { id }',
    cases: onEach(everyItem, async (_, cell) => {
      const { translationId: id, type } = itemOf(cell);
      const expectedVersion = cell.isAnswered ? await cell.world.versionOf('translations', id) : 1;
      const fields = { [type === 'media' ? 'altText' : 'description']: `Texte de ${cell.who}` };
      return { variables: { input: { id, expectedVersion, fields } } };
    }),
  },
  {
    field: 'Query.translations',
    rule: readsEverything,
    selection: 'nodes { id }',
    check: (data, { world }) => expect(idsIn(data)).not.toContain(world.items.elsewhere.translationId),
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
    selection: 'updated { id } errors { id: translationId code }',
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
