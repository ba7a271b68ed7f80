import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidField, invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { isBlankArticle } from '../../../platform/html/sanitizeArticle.ts';
import type { UpdatePageInput } from '../../identity.generated.ts';
import { changePage } from './changePage.ts';
import { checkPage } from './checkPage.ts';
import type { PageRecord } from './model.ts';

/** Maximum number of slugs that lead to a page. */
const mostSlugs = 20;

export async function updatePage(
  input: UpdatePageInput,
  context: RequestContext,
): Promise<{ page: PageRecord }> {
  const { kind, slug, title, html, languageTag } = input;
  const empty = Object.entries({ kind, slug, title, html, languageTag })
    .filter(([, value]) => value === null)
    .map(([member]) => problem(`#/${member}`, 'This member must not be empty.'));
  const { members, problems } = checkPage({
    kind: kind ?? undefined,
    slug: slug ?? undefined,
    title: title ?? undefined,
    html: html ?? undefined,
    languageTag: languageTag ?? undefined,
  });
  const page = await changePage(input, 'updatePage', context, {
    check({ status }) {
      if (empty.length + problems.length > 0) throw invalidFields([...empty, ...problems]);
      if (status === 'published' && members.html !== undefined) assertText(members.html);
    },
    plan(before) {
      const changes = Object.entries(members).filter(
        ([member, value]) => !isDeepStrictEqual(before[member as keyof PageRecord], value),
      );
      return changes.length === 0
        ? null
        : { ...Object.fromEntries(changes), ...slugsAfter(before, members.slug) };
    },
  });
  return { page };
}

/**
 * Refuses an empty text.
 *
 * @throws AppError `validation_failed`, because readers would find nothing
 */
export function assertText(html: string): void {
  if (isBlankArticle(html)) throw invalidField('#/html', 'A published page needs a text or an image.');
}

function slugsAfter({ slugs }: PageRecord, slug: string | undefined): Partial<PageRecord> {
  if (slug === undefined) return {};
  return { slugs: [slug, ...slugs.filter((name) => name !== slug)].slice(0, mostSlugs) };
}
