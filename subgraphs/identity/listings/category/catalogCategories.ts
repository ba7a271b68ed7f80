import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { installationCategories } from './installationCategories.ts';
import type { CategoryRecord } from './model.ts';

/** Returns the category tree for the public. */
export async function catalogCategories(context: RequestContext): Promise<CatalogCategoriesParent> {
  const items = await installationCategories(context);
  const changedAt = items.map(({ updatedAt }) => updatedAt.getTime());
  return { items, version: Math.floor(Math.max(0, ...changedAt) / 1000) };
}

/** The categories of an installation. */
export interface CatalogCategoriesParent {
  readonly items: readonly CategoryRecord[];
  /** Time of the last change in seconds since 1970. */
  readonly version: number;
}

/**
 * Returns the name in a language, otherwise in the first of the installation's languages that has one. A language also
 * stands for its regions and scripts (RFC 4647, 3.4).
 */
export function nameOf(
  { names, slug }: Pick<CategoryRecord, 'names' | 'slug'>,
  locale: string | null | undefined,
  { installation }: RequestContext,
): string {
  const languages = [locale ?? '', ...installation.locales];
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
