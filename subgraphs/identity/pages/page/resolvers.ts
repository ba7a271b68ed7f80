import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { MutationResolvers, PageResolvers, QueryResolvers } from '../../identity.generated.ts';
import { withWords, wordsOf } from '../../kernel/object-content/wordsOf.ts';
import { userLoader } from '../../people/user/policy.ts';
import { removePage } from './changePage.ts';
import { publishPage, unpublishPage } from './changePageStatus.ts';
import { isSlug } from './checkPage.ts';
import { contentOf, urlOf } from './contentOf.ts';
import { createPage } from './createPage.ts';
import { PageModel, type PageRecord } from './model.ts';
import { loadText, pageLoader, withoutText } from './pageLoader.ts';
import { canReadPage, managesPages, onlyShown } from './policy.ts';
import { readHtml } from './readHtml.ts';
import { updatePage } from './updatePage.ts';

/** Returns the collection of pages without texts. Selected texts of a list are read in one command. */
function listed({ installationId }: RequestContext) {
  const pages = scoped(PageModel, installationId);
  return {
    find: (...[filter, options]: Parameters<typeof pages.find>) =>
      pages.find(filter, { ...options, projection: withoutText }),
  };
}

const Query: QueryResolvers = {
  page: async (_, { slug }, context) => {
    const byId = isId('page', slug);
    return onlyShown(
      context,
      byId ? await context.loader(pageLoader).load(slug) : await findBySlug(slug, context),
    );
  },
  pages: (_, { first, after, kind, languageTag }, context) =>
    findPage({
      context,
      first,
      after,
      collection: listed(context),
      filter: {
        status: 'published',
        ...(kind ? { kind } : {}),
        ...(languageTag ? { languageTag } : {}),
      },
      sort: [{ key: 'publishedAt', direction: -1 }],
    }),
  adminPages: (_, { first, after, kind, status, languageTag }, context) =>
    findPage({
      context,
      first,
      after,
      collection: listed(context),
      filter: {
        ...(status ? { status } : {}),
        ...(kind ? { kind } : {}),
        ...(languageTag ? { languageTag } : {}),
      },
      sort: [{ key: 'createdAt', direction: -1 }],
    }),
};

async function findBySlug(slug: string, context: RequestContext): Promise<PageRecord | null> {
  if (!isSlug(slug)) return null;
  const [page] = await listed(context).find({ slugs: slug }, { limit: 1 });
  return page ?? null;
}

const Mutation: MutationResolvers = {
  createPage: (_, { input }, context) => createPage(input, context),
  updatePage: (_, { input }, context) => updatePage(input, context),
  publishPage: (_, { input }, context) => publishPage(input, context),
  unpublishPage: (_, { input }, context) => unpublishPage(input, context),
  deletePage: async (_, { input }, context) => {
    const { _id } = await removePage(input, 'deletePage', context);
    return { deletedPageId: _id };
  },
};

const Page: PageResolvers = {
  __resolveReference: async (reference, context) =>
    withWords(await onlyShown(context, await context.loader(pageLoader).load(reference.id)), reference),
  url: ({ kind, slug }, _, { installation }) => urlOf(kind, slug, installation.baseUrl),
  html: (page, _, context) => readHtml(page, context),
  owner: async ({ ownerId }, _, context) => {
    const user = await context.loader(userLoader).load(ownerId);
    return { id: ownerId, displayName: user?.displayName ?? null };
  },
  viewerCanRead: (page, _, { viewer }) => canReadPage(viewer, page),
  viewerCanEdit: (_page, _, { viewer }) => managesPages(viewer),
  viewerOnlyReads: () => false,
  contentVersion: ({ version }) => version,
  content: async (page, _, context) => {
    const words = wordsOf(page);
    if (words)
      return contentOf({ ...page, title: words.title ?? '' }, words.html ?? '', context.installation);
    return contentOf(page, await loadText(context, page), context.installation);
  },
};

export const page: Resource = {
  resolvers: { Query, Mutation, Page },
  records: {
    Page: {
      idType: 'page',
      read: async (id, context) => onlyShown(context, await context.loader(pageLoader).load(id)),
    },
  },
  models: [PageModel],
};
