import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { QueryResolvers, SigningKey } from '../../identity.generated.ts';
import { SigningKeyModel } from './model.ts';
import { rotateSigningKeys } from './rotateSigningKeys.ts';

const Query: QueryResolvers = {
  // Returns the verifying keys from memory, which is the same set.
  signingKeys: async (_, __, { platform }) => ({
    keys: (await platform.keys.publicJwks()) as readonly SigningKey[],
  }),
};

export const signingKey: Resource = {
  resolvers: { Query },
  models: [SigningKeyModel],
  jobs: [rotateSigningKeys],
};
