import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { CatalogCategories, CatalogCategory } from '../../identity.generated.ts';
import { installationCategories } from './installationCategories.ts';
import type { CategoryRecord } from './model.ts';

/** Returns the category tree for the public. */
export async function catalogCategories(
  locale: string | null | undefined,
  context: RequestContext,
): Promise<CatalogCategories> {
  const categories = await installationCategories(context);
  const languages = [locale ?? '', ...context.installation.locales];
  const changedAt = categories.map(({ updatedAt }) => updatedAt.getTime());
  return {
    items: categories.map((category) => toPublic(category, languages)),
    version: Math.floor(Math.max(0, ...changedAt) / 1000),
  };
}

function toPublic(category: CategoryRecord, languages: readonly string[]): CatalogCategory {
  const { _id, slug, parentId, ancestorIds, leaf, attributeSchema } = category;
  return {
    id: _id,
    slug,
    parentId,
    attributeSchema,
    name: nameOf(category, languages),
    depth: ancestorIds.length,
    isLeaf: leaf,
  };
}

/** Returns the name in the first language that has one, also for its regions and scripts (RFC 4647, 3.4). */
function nameOf({ names, slug }: CategoryRecord, languages: readonly string[]): string {
  const known = new Map(Object.entries(names).map(([tag, name]) => [tag.toLowerCase(), name]));
  for (const language of languages) {
    for (let range = language.toLowerCase(); range !== ''; range = shorter(range)) {
      const name = known.get(range);
      if (name !== undefined) return name;
    }
  }
  return Object.values(names)[0] ?? slug;
}

/** Returns a language range without its last subtag, and without a single letter that would then be last. */
function shorter(range: string): string {
  const cut = range.slice(0, Math.max(0, range.lastIndexOf('-')));
  return /-[a-z0-9]$/.test(cut) ? cut.slice(0, -2) : cut;
}
