import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { seoAiStatus } from './seoAiStatus.ts';

const resolvers: Resolvers = {
  Query: { seoAiStatus: (_, { locale }, context) => seoAiStatus(context, locale) },
};

/** Conditions of a request to the provider. */
export const aiGate: Resource = { resolvers };
