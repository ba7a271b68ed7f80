import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { aiSuggestionProblems } from './aiSuggestionProblems.ts';
import { seoAiSuggestions } from './seoAiSuggestions.ts';
import type { ValidatedAnswer, ValidSuggestion } from './validateAnswer.ts';

/** What a suggestion is read from. */
export type SeoAiSuggestionParent = ValidSuggestion;

/** What is read of something that is not suggested. */
export type SeoAiDiscardedParent = ValidatedAnswer['discarded'][number];

const resolvers: Resolvers = {
  Mutation: { seoAiSuggestions: (_, { input }, context) => seoAiSuggestions(input, context) },
};

/** Suggestions by a model. */
export const aiSuggestion: Resource = {
  resolvers,
  inputRules: { seoAiSuggestions: aiSuggestionProblems },
  // A dry run takes no key.
  keysByHand: ['seoAiSuggestions'],
};
