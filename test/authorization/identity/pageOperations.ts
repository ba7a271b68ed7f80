import { unique } from '../../support/seed.ts';
import { idsIn, once, onEach, writing } from '../matrix/calls.ts';
import type { Case, Operation } from '../matrix/Operation.ts';
import { notFound } from '../world/meanings.ts';
import { breadthOf, isInOrder, type Who } from '../world/people.ts';
import { storePage } from '../world/storePage.ts';

/** Whether the caller can read drafts of pages. */
export function readsDrafts(who: Who): boolean {
  const permissions = ['pages:manage', 'seo:edit', 'translations:read'];
  return isInOrder(who) && permissions.some((name) => breadthOf(who, name) === 'any');
}

const manages = { kind: 'holds any', permissions: ['pages:manage'] } as const;

/** Pages are managed over GraphQL only. */
export const pageOperations: readonly Operation[] = [
  {
    field: 'Query.page',
    rule: { kind: 'public' },
    selection: 'id',
    cases: onEach(['page', 'pageDraft', 'pageElsewhere', 'pageNever'], (slug) => ({ variables: { slug } })),
    check: (data, { item, who }) => {
      const isKnown = item?.name === 'page' || (item?.name === 'pageDraft' && readsDrafts(who));
      expect(data?.id ?? null).toBe(isKnown ? item?.id : null);
    },
  },
  {
    field: 'Query.pages',
    rule: { kind: 'public' },
    selection: 'nodes { id }',
    cases: [once(() => ({ variables: { first: 100 } }))],
    check: (data, { world: { items } }) => {
      expect(idsIn(data)).toContain(items.page.id);
      for (const { id } of [items.pageDraft, items.pageElsewhere]) expect(idsIn(data)).not.toContain(id);
    },
  },
  {
    field: 'Query.adminPages',
    rule: manages,
    selection: 'nodes { id }',
    cases: [once(() => ({ variables: { first: 100 } }))],
    check: (data, { world }) => expect(idsIn(data)).not.toContain(world.items.pageElsewhere.id),
  },
  {
    field: 'Mutation.createPage',
    rule: manages,
    selection: 'page { id }',
    cases: [once(() => writing({}, { title: unique('Page') }))],
  },
  ...(['updatePage', 'publishPage', 'unpublishPage', 'deletePage'] as const).map(
    (name): Operation => ({
      field: `Mutation.${name}`,
      rule: manages,
      selection: name === 'deletePage' ? 'deletedPageId' : 'page { id }',
      cases: onPages(name === 'unpublishPage' ? 'published' : 'draft'),
    }),
  ),
];

function onPages(status: 'draft' | 'published'): Case[] {
  return [
    once(
      async ({ isAnswered, world: { shop, items } }) => {
        if (!isAnswered) return writing({ pageId: items.pageDraft.id });
        return writing({ pageId: await storePage(shop.installation.id, { status, text: 'Text' }) });
      },
      { name: 'of the installation' },
    ),
    ...onEach(['pageElsewhere', 'pageNever'], (pageId) => writing({ pageId }), { meaning: () => notFound }),
  ];
}
