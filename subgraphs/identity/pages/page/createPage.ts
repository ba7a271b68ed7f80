import { recordAudit } from '../../../platform/audit/recordAudit.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { isDuplicateKey, scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { CreatePageInput } from '../../identity.generated.ts';
import { toSlug } from '../../kernel/slug/toSlug.ts';
import { checkPage, longestSlug } from './checkPage.ts';
import { PageModel, type PageRecord } from './model.ts';

/** Creates a draft that the caller owns. */
export async function createPage(
  input: CreatePageInput,
  context: RequestContext,
): Promise<{ page: PageRecord }> {
  const _id = context.attempt.newId('page');
  const page = { _id, ...read(_id, input, context) };
  if (input.slug) return { page: await store(page, context) };
  return { page: await storeUnderFreeSlug(page, context) };
}

/** Stores a page. If a generated slug is taken, part of the page's id is appended. */
async function storeUnderFreeSlug(page: NewPage, context: RequestContext): Promise<PageRecord> {
  try {
    return await store(page, context);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'slug_taken')) throw error;
    const piece = page._id.slice(-10).toLowerCase();
    return store({ ...page, slug: `${page.slug.slice(0, longestSlug - 11)}-${piece}` }, context);
  }
}

/**
 * Returns the members of a new page.
 *
 * @throws AppError `validation_failed`
 */
function read(
  id: string,
  { kind, title, html, slug, languageTag }: CreatePageInput,
  { installation }: RequestContext,
) {
  const { members, problems } = checkPage({
    title,
    kind: kind ?? 'page',
    html: html ?? '',
    // A title in another script may leave no character for a slug.
    slug: slug ?? (toSlug(title, longestSlug) || toSlug(id, longestSlug)),
    languageTag: languageTag ?? installation.locales[0] ?? 'en',
  });
  if (problems.length > 0) throw invalidFields(problems);
  return members as Required<typeof members>;
}

type NewPage = ReturnType<typeof read> & Pick<PageRecord, '_id'>;

function store(page: NewPage, context: RequestContext): Promise<PageRecord> {
  const pages = scoped(PageModel, context.installationId);
  const { _id, slug } = page;
  const at = new Date(context.platform.now());
  return inTransaction(async (session) => {
    // An earlier run under the same key may have crashed after it stored the page.
    const earlier = await pages.findOne({ _id }, { session });
    if (earlier) return earlier;
    await recordAudit(context, { action: 'createPage', target: { type: 'page', id: _id } }, { session });
    return pages.insert(
      {
        ...page,
        slugs: [slug],
        status: 'draft',
        publishedAt: null,
        version: 1,
        ownerId: context.viewer.id,
        createdAt: at,
        updatedAt: at,
        ...firstOutbox(context, 'object.created'),
      },
      { session },
    );
  }).catch((error: unknown) => {
    throw isDuplicateKey(error, 'slugs') ? slugTaken() : error;
  });
}

export function slugTaken(): AppError {
  return new AppError('slug_taken', 'Another page uses or has used this slug. Send another "slug".');
}
