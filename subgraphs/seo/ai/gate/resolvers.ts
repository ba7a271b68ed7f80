import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { seoAiStatus } from './seoAiStatus.ts';

const resolvers: Resolvers = {
  Query: { seoAiStatus: (_, { locale }, context) => seoAiStatus(context, locale) },
};

/** What stands between a caller and the provider. */
export const aiGate: Resource = { resolvers };
