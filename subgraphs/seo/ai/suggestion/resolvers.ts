import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { aiSuggestionProblems } from './aiSuggestionProblems.ts';
import { seoAiSuggestions } from './seoAiSuggestions.ts';
import type { ValidatedAnswer, ValidSuggestion } from './validateAnswer.ts';

/** Parent of the resolvers of a suggestion. */
export type SeoAiSuggestionParent = ValidSuggestion;

/** Parent of the resolvers of a discarded suggestion. */
export type SeoAiDiscardedParent = ValidatedAnswer['discarded'][number];

const resolvers: Resolvers = {
  Mutation: { seoAiSuggestions: (_, { input }, context) => seoAiSuggestions(input, context) },
  SeoAiRedactions: {
    kinds: ({ byKind }) => Object.entries(byKind).map(([kind, count]) => ({ kind, count })),
  },
  SeoAiSuggestion: {
    suggestionId: ({ id }) => id,
    text: ({ value }) => (typeof value === 'string' ? value : null),
  },
};

/** Suggestions by a model. */
export const aiSuggestion: Resource = {
  resolvers,
  inputRules: { seoAiSuggestions: aiSuggestionProblems },
  // A dry run does not use a key.
  keysByHand: ['seoAiSuggestions'],
};
