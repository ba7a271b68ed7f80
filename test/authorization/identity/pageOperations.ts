import { unique } from '../../support/seed.ts';
import type { Case, Cell, Operation } from '../Operation.ts';
import { breadthOf, isInOrder, type Who } from '../people.ts';
import { storePage } from '../storePage.ts';

/** who reads a page that nobody else sees. */
export function readsDrafts(who: Who): boolean {
  const permissions = ['pages:manage', 'seo:edit', 'translations:read'];
  return isInOrder(who) && permissions.some((name) => breadthOf(who, name) === 'any');
}

const manages = { kind: 'holds any', permissions: ['pages:manage'] } as const;

/** Pages are managed over GraphQL only. */
export const pageOperations: readonly Operation[] = [
  {
    field: 'Query.page',
    source: 'public for published ones',
    rule: { kind: 'public' },
    selection: 'id',
    cases: (['page', 'pageDraft', 'pageElsewhere', 'pageNever'] as const).map((item) => ({
      item,
      call: ({ item }) => ({ variables: { slug: item?.id } }),
    })),
    check: (data, { item, who }) => {
      const isKnown = item?.name === 'page' || (item?.name === 'pageDraft' && readsDrafts(who));
      expect(data?.id ?? null).toBe(isKnown ? item?.id : null);
    },
  },
  {
    field: 'Query.pages',
    source: 'public for published ones',
    rule: { kind: 'public' },
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: { first: 100 } }) }],
    check: ({ nodes }, { world: { items } }) => {
      const found = nodes.map(({ id }: { id: string }) => id);
      expect(found).toContain(items.page.id);
      for (const hidden of [items.pageDraft, items.pageElsewhere]) expect(found).not.toContain(hidden.id);
    },
  },
  {
    field: 'Query.adminPages',
    source: 'pages:manage; lists never hold foreign records',
    rule: manages,
    selection: 'nodes { id }',
    cases: [{ call: () => ({ variables: { first: 100 } }) }],
    check: ({ nodes }, { world: { items } }) =>
      expect(nodes.map(({ id }: { id: string }) => id)).not.toContain(items.pageElsewhere.id),
  },
  {
    field: 'Mutation.createPage',
    source: 'pages:manage',
    rule: manages,
    selection: 'page { id }',
    cases: [{ call: () => ({ variables: { input: { title: unique('Page') } } }) }],
  },
  ...(['updatePage', 'publishPage', 'unpublishPage', 'deletePage'] as const).map(
    (name): Operation => ({
      field: `Mutation.${name}`,
      source: 'pages:manage; 404 for what is not here',
      rule: manages,
      selection: name === 'deletePage' ? 'deletedPageId' : 'page { id }',
      cases: onPages(name === 'unpublishPage' ? 'published' : 'draft'),
    }),
  ),
];

function onPages(status: 'draft' | 'published'): Case[] {
  const naming = (pageId: string | undefined) => ({ variables: { input: { pageId } } });
  return [
    {
      name: 'of the installation',
      call: async ({ isAnswered, world }) =>
        naming(
          isAnswered
            ? await storePage(world.shop.installation.id, { status, text: 'Text' })
            : world.items.pageDraft.id,
        ),
    },
    ...(['pageElsewhere', 'pageNever'] as const).map((item) => ({
      item,
      call: ({ item }: Cell) => naming(item?.id),
      meaning: () => ({ status: 404, code: 'not_found' }) as const,
    })),
  ];
}
