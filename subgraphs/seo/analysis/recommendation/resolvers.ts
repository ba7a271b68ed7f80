import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { analysisProblems } from '../analyze/analysisProblems.ts';
import { type SeoRecommendationsParent, seoRecommendations } from './seoRecommendations.ts';

/** What the fields of a recommendation are read from. */
export type SeoRecommendationParent = SeoRecommendationsParent['items'][number];

const resolvers: Resolvers = {
  Query: { seoRecommendations: (_, { input }, context) => seoRecommendations(input, context) },
};

/** What to do first. */
export const recommendation: Resource = {
  resolvers,
  inputRules: { seoRecommendations: analysisProblems },
};
