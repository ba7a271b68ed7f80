import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { type CheckDefinition, checkCatalogue } from '../../engine/checkCatalogue.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { loadRuleset } from '../ruleset/rulesets.ts';

/** A check as the engine describes it. */
export type SeoCheckDefinitionParent = CheckDefinition;

const resolvers: Resolvers = {
  Query: {
    seoChecks: async (_, { profile, locale }, context) =>
      checkCatalogue(profile, locale, await loadRuleset(context)),
  },
  SeoCheckDefinition: { checkId: ({ id }) => id },
};

/** The catalogue of checks. */
export const check: Resource = { resolvers };
