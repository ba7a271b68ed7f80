import type { Resolvers } from '../../../schema/seo.generated.ts';
import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { toUpper } from '../object/enumCase.ts';
import { type SeoRecommendationsParent, seoRecommendations } from './seoRecommendations.ts';

/** What the fields of a recommendation are read from. */
export type SeoRecommendationParent = SeoRecommendationsParent['items'][number];

const resolvers: Resolvers = {
  Query: { seoRecommendations: (_, { input }, context) => seoRecommendations(context, input) },
  SeoRecommendation: {
    score: ({ score }) => toUpper(score),
    severity: ({ severity }) => toUpper(severity),
    effort: ({ effort }) => toUpper(effort),
    suggestionKinds: ({ suggestionKinds }) => suggestionKinds.map(toUpper),
  },
};

/** What to do first. */
export const recommendation: Resource = { resolvers };
