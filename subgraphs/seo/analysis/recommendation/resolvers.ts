import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { analysisProblems } from '../analyze/analysisProblems.ts';
import { type SeoRecommendationsParent, seoRecommendations } from './seoRecommendations.ts';

/** Parent of the resolvers of a recommendation. */
export type SeoRecommendationParent = SeoRecommendationsParent['items'][number];

const resolvers: Resolvers = {
  Query: { seoRecommendations: (_, { input }, context) => seoRecommendations(input, context) },
  SeoRecommendation: { recommendationId: ({ id }) => id },
};

/** Recommendations in descending order of importance. */
export const recommendation: Resource = {
  resolvers,
  inputRules: { seoRecommendations: analysisProblems },
};
