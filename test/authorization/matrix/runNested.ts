import type { Item } from '../world/Item.ts';
import type { World } from '../world/openWorld.ts';
import { everybody, type Who } from '../world/people.ts';
import { type Expected, expect401To404, type Question, words } from './rules.ts';
import { findForeignAddress, inParallel } from './runMatrix.ts';

/** A field that is reached through another one, whose guard is not its own. */
interface Nested {
  readonly name: string;
  /** Its variable `$id` has the result of `key`. */
  readonly query: string;
  readonly item: 'garage' | 'private';
  key(item: Item): string;
  /** Rule of the root field. */
  readonly root: Guarded;
  /** Path of the nested field in the data, and its guard. */
  readonly path: readonly string[];
  readonly guard: Guarded;
}

/** A rule, and the scope that API clients need. */
type Guarded = Pick<Question, 'rule' | 'scope'>;

const readsTexts: Guarded = {
  rule: { kind: 'holds', permission: 'translations:read', reach: 'translation_not_found' },
  scope: 'content:translate',
};
const readsListing: Guarded = { rule: { kind: 'owner', or: 'listings:moderate' }, scope: 'listings:read' };
const editsSeo: Guarded = {
  rule: { kind: 'holds', permission: 'seo:edit', reach: 'not_found' },
  scope: 'content:seo',
};

/** Rows that verify that guards apply to nested fields and references. */
const nested: readonly Nested[] = (['garage', 'private'] as const).flatMap((item): Nested[] => [
  {
    name: 'a listing through its translation',
    query: 'query ($id: ID!) { translation(id: $id) { object { ... on Listing { state } } } }',
    item,
    key: ({ translationId }) => translationId,
    root: readsTexts,
    path: ['translation', 'object', 'state'],
    guard: readsListing,
  },
  {
    name: 'SEO fields through a listing',
    query: 'query ($id: ID!) { listing(listingId: $id) { seo { keyphrase } } }',
    item,
    key: ({ id }) => id,
    root: readsListing,
    path: ['listing', 'seo'],
    guard: editsSeo,
  },
  {
    name: 'a listing through its SEO fields',
    query:
      'query ($id: ID!) { seoRecord(object: { type: LISTING, id: $id }) { object { ... on Listing { state } } } }',
    item,
    key: ({ id }) => id,
    root: editsSeo,
    path: ['seoRecord', 'object', 'state'],
    guard: readsListing,
  },
  {
    name: 'a group through a listing',
    query: 'query ($id: ID!) { listing(listingId: $id) { relationGroup { id } } }',
    item,
    key: ({ id }) => id,
    root: readsListing,
    path: ['listing', 'relationGroup'],
    guard: {
      rule: { kind: 'holds', permission: 'translations:read', reach: 'object_not_found' },
      scope: 'content:translate',
    },
  },
  {
    name: 'a person through an analysis',
    query: `query ($id: ID!) {
      seoRecord(object: { type: LISTING, id: $id }) { latestAnalysis { createdBy { displayName } } } }`,
    item,
    key: ({ id }) => id,
    root: editsSeo,
    path: ['seoRecord', 'latestAnalysis', 'createdBy', 'displayName'],
    guard: { rule: { kind: 'self', who: 'editor', or: 'users:read' } },
  },
]);

/** Requests every nested field as every caller. Returns the number of requests and the faults. */
export async function runNested(world: World): Promise<{ cells: number; faults: string[] }> {
  const cells = nested.flatMap((row) => everybody.map((who) => ({ row, who })));
  const faults = await inParallel(cells, async ({ row, who }) => {
    const item = world.items[row.item];
    const expected = expectNested(row, who, item);
    const { json, text } = await world.app.send({
      method: 'POST',
      path: '/graphql',
      token: world.tokenOf(who),
      body: { query: row.query, variables: { id: row.key(item) } },
    });
    const problem = json.errors?.[0]?.extensions.problem;
    const got: Expected = problem ? { status: problem.status, code: problem.code } : 'answered';
    const value = row.path.reduce((at: any, name) => at?.[name], json.data);
    const isShown = value !== null && value !== undefined;
    const foreign = findForeignAddress({ world, who }, text);
    if (foreign) return [`${row.name} · ${row.item} · ${who}: shows ${foreign}`];
    if (words(got) === words(expected) && isShown === (expected === 'answered')) return [];
    return [`${row.name} · ${row.item} · ${who}: expected ${words(expected)}, got ${JSON.stringify(json)}`];
  });
  return { cells: cells.length, faults: faults.flat() };
}

function expectNested({ root, guard }: Nested, who: Who, item: Item): Expected {
  const atRoot = expect401To404({ ...root, who, item, style: 'graphql' });
  return atRoot === 'answered' ? expect401To404({ ...guard, who, item, style: 'graphql' }) : atRoot;
}
