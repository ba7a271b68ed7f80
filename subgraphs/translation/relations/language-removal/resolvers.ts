import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../translation.generated.ts';
import { deleteLanguage } from './deleteLanguage.ts';

const resolvers: Resolvers = {
  Mutation: { deleteLanguage: (_, { input }, context) => deleteLanguage(input, context) },
};

/** Removal of a language from the configuration, and of its texts from their groups. */
export const languageRemoval: Resource = { resolvers };
