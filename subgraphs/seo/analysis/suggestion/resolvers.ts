import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Suggestion, Suggestions, Unavailable } from '../../engine/suggestions/suggest.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { seoSuggestions, suggestionProblems } from './seoSuggestions.ts';

/** What the fields of the suggestions are read from. */
export type SeoSuggestionSetParent = Suggestions;

/** What the fields of a suggestion are read from. */
export type SeoSuggestionParent = Suggestion;

/** What the fields of a kind without suggestions are read from. */
export type SeoUnavailableSuggestionParent = Unavailable;

const reasons: Readonly<Record<Unavailable['code'], string>> = {
  not_enough_content: 'The page has too little text for it.',
  language_unsupported: 'Too little is known of the language.',
  no_candidates: 'The page has nothing to make it of, or nothing that the checks would not judge worse.',
};

const resolvers: Resolvers = {
  Query: { seoSuggestions: (_, { input }, context) => seoSuggestions(context, input) },
  SeoUnavailableSuggestion: {
    message: ({ code }) => reasons[code],
  },
};

/** Values that would serve a page. */
export const suggestion: Resource = {
  resolvers,
  inputRules: { seoSuggestions: suggestionProblems },
};
