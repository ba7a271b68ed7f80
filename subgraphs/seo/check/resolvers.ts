import type { Resolvers } from '../../../schema/seo.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { type CheckDefinition, checkCatalogue } from '../engine/checkCatalogue.ts';
import { toLower, toUpper } from '../object/enumCase.ts';
import { loadRuleset } from '../ruleset/rulesets.ts';

/** A check as the engine describes it. */
export type SeoCheckDefinitionParent = CheckDefinition;

const resolvers: Resolvers = {
  Query: {
    seoChecks: async (_, { profile, locale }, context) =>
      checkCatalogue(profile && toLower(profile), locale, await loadRuleset(context)),
  },
  SeoCheckDefinition: {
    group: ({ group }) => toUpper(group),
    profiles: ({ profiles }) => profiles.map(toUpper),
  },
};

/** The catalogue of checks. */
export const check: Resource = { resolvers };
