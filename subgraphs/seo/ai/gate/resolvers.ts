import type { Resolvers } from '../../../../schema/seo.generated.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { seoAiStatus } from './seoAiStatus.ts';

const resolvers: Resolvers = {
  Query: { seoAiStatus: (_, { locale }, context) => seoAiStatus(context, locale) },
};

/** What stands between a caller and the provider. */
export const aiGate: Resource = { resolvers };
