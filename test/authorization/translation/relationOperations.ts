import { asking, onEach, onFresh } from '../matrix/calls.ts';
import type { Cell, Operation } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import type { Item } from '../world/Item.ts';
import { foreign } from '../world/meanings.ts';
import { breadthOf } from '../world/people.ts';
import { everyItem, itemOf, listings, lower, newListing, reads, upper } from './objects.ts';

const manages: Rule = { kind: 'holds', permission: 'translations:manage', reach: 'object_not_found' };
const managesGroups: Rule = {
  kind: 'holds',
  permission: 'translations:manage',
  reach: 'relation_not_found',
};

/** Two objects to link. They are new if the call is allowed. */
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

/** Relations. */
export const relationOperations: readonly Operation[] = [
  {
    field: 'Query.relationGroup',
    rule: reads('object_not_found'),
    scope: 'content:translate',
    selection: 'id',
    cases: [
      ...onEach(
        everyItem,
        (objectId, cell) => {
          const { type } = itemOf(cell);
          return {
            variables: { objectType: type.toUpperCase(), objectId },
            query: { objectType: type, objectId },
          };
        },
        { name: 'by object' },
      ),
      ...onEach(everyItem, (_, cell) => asking({ groupId: itemOf(cell).groupId }), {
        name: 'by id',
        rule: reads('relation_not_found'),
      }),
    ],
    check: (data, { item }) => expect(data.id).toBe(item?.groupId),
  },
  {
    field: 'Mutation.linkRelation',
    rule: manages,
    scope: 'content:translate',
    selection: 'created',
    cases: [
      ...onEach(listings, (_, cell) => pairOf(cell, itemOf(cell)), { name: 'among own ones' }),
      ...onEach(['garage'], (_, cell) => pairOf(cell, cell.world.items.private), {
        name: 'with an object of somebody else',
        meaning: ({ who }) => (breadthOf(who, 'translations:manage') === 'any' ? null : foreign),
      }),
      ...(['elsewhere', 'never'] as const).flatMap((other) =>
        onEach(
          ['garage'],
          (_, cell) => {
            const [object, relatedTo] = [itemOf(cell), cell.world.items[other]];
            return {
              variables: { input: { object: upper(object), relatedTo: upper(relatedTo) } },
              body: { object: lower(object), relatedTo: lower(relatedTo) },
            };
          },
          {
            name: `with an object ${other}`,
            meaning: () => ({ status: 404, code: 'related_object_not_found' }),
          },
        ),
      ),
    ],
  },
  {
    field: 'Mutation.unlinkRelation',
    rule: manages,
    scope: 'content:translate',
    selection: 'removed { objectId }',
    cases: onFresh(
      listings,
      async (cell) => (await newPair(cell)).id,
      (objectId) => ({
        variables: { input: { objectType: 'LISTING', objectId } },
        query: { objectType: 'listing', objectId },
      }),
    ),
  },
  {
    field: 'Mutation.mergeRelationGroups',
    rule: managesGroups,
    scope: 'content:translate',
    selection: 'merged',
    cases: [true, false].flatMap((dryRun) =>
      onEach(
        listings,
        async (_, cell) => {
          const { groupId } = itemOf(cell);
          const fromGroupId = cell.isAnswered ? (await newPair(cell, 'fr', 'ar')).groupId : groupId;
          const intoGroupId = cell.isAnswered ? (await newPair(cell)).groupId : groupId;
          return { variables: { input: { fromGroupId, intoGroupId, dryRun } } };
        },
        {
          name: dryRun ? 'to see what would come of it' : 'in earnest',
          check: ({ merged }) => expect(merged).toBe(!dryRun),
        },
      ),
    ),
  },
  {
    field: 'Mutation.setRelationSource',
    rule: managesGroups,
    scope: 'content:translate',
    selection: 'changed',
    cases: onEach(listings, async (_, cell) => {
      const { groupId, id } = cell.isAnswered ? await newPair(cell) : itemOf(cell);
      return { variables: { input: { groupId, object: { type: 'LISTING', id } } } };
    }),
    check: ({ changed }) => expect(changed).toBe(false),
  },
  {
    field: 'Mutation.assignObjectLanguage',
    rule: manages,
    scope: 'content:translate',
    selection: 'translation { languageCode }',
    cases: onFresh(
      listings,
      (cell) => newListing(cell, 'en'),
      (id) => ({ variables: { input: { object: { type: 'LISTING', id }, language: 'en' } } }),
    ),
    check: ({ translation }) => expect(translation.languageCode).toBe('en'),
  },
  {
    field: 'Query.relationHealth',
    rule: { kind: 'holds any', permissions: ['translations:read'] },
    selection: 'lookedAt',
    check: ({ lookedAt }) => expect(lookedAt).toBeGreaterThan(0),
  },
  {
    field: 'Mutation.repairRelations',
    rule: { kind: 'holds any', permissions: ['translations:manage'] },
    selection: 'repaired { code }',
    // The world contains no inconsistencies, and a repair ignores objects without a head.
    cases: [{ call: () => ({ variables: { input: { codes: ['HEAD_MISSING'] } } }) }],
    check: ({ repaired }) => expect(repaired).toEqual([]),
  },
];

/** Ids of a new object with a translation, and of their group. */
async function newPair(cell: Cell, from = 'en', to = 'de'): Promise<{ id: string; groupId: string }> {
  const id = await newListing(cell, from);
  const input = { source: { type: 'LISTING', id }, language: to } as const;
  const { translation } = await cell.world.editor.createTranslation(input);
  return { id, groupId: translation.groupId ?? '' };
}
