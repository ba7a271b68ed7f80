import { displayOf } from '../../subgraphs/identity/listings/category/displayOf.ts';
import { vehicleSchema } from '../../subgraphs/identity/listings/category/vehicleAttributes.ts';
import type { AnalysisInput, JsonValue, Profile } from '../../subgraphs/seo/engine/contract.ts';
import { suggest } from '../../subgraphs/seo/engine/suggestions/suggest.ts';
import { baseRuleset } from '../../subgraphs/seo/pages/ruleset/baseRuleset.ts';
import type { GoldenCase, PageKind } from './golden/GoldenCase.ts';
import { type JudgedKind, judgedKinds } from './judge.ts';

const profiles: Readonly<Record<PageKind, Profile>> = {
  listing: 'product',
  article: 'article',
  product: 'product',
  collection: 'collection',
};
const types = { cars: 'Car', motorcycles: 'Motorcycle', 'commercial-vehicles': 'Vehicle' } as const;

/** Returns the first suggestion of each kind for a golden page. */
export function firstSuggestions(
  pageKind: PageKind,
  golden: GoldenCase,
  kinds: readonly JudgedKind[] = judgedKinds,
): Map<JudgedKind, JsonValue> {
  const page: AnalysisInput = {
    ...golden.page,
    profile: profiles[pageKind],
    ...(pageKind === 'listing' && { product: vehicleOf(golden) }),
  };
  const neighbours = { siteName: golden.site, usedKeyphrases: [], usedSlugs: [], targets: [] };
  const task = { page, ruleset: baseRuleset, kinds, perKind: 1, exclude: [], neighbours };
  return new Map(suggest(task).items.map(({ kind, value }) => [kind as JudgedKind, value]));
}

/** Returns the product of a listing as its owner reports it: with the display of its category's attributes. */
function vehicleOf({ page, category }: GoldenCase): AnalysisInput['product'] {
  const schema = vehicleSchema({ productType: types[category ?? 'cars'], required: [] });
  return {
    ...page.product,
    type: schema.productType,
    attributeDisplay: displayOf(schema, (page.product?.attributes ?? {}) as Record<string, string>),
  };
}
