import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Suggestion, Suggestions, Unavailable } from '../../engine/suggestions/suggest.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { seoSuggestions, suggestionProblems } from './seoSuggestions.ts';

/** Parent of the resolvers of the suggestions. */
export type SeoSuggestionSetParent = Suggestions;

/** Parent of the resolvers of a suggestion. */
export type SeoSuggestionParent = Suggestion;

/** Parent of the resolvers of a kind without suggestions. */
export type SeoUnavailableSuggestionParent = Unavailable;

const reasons: Readonly<Record<Unavailable['code'], string>> = {
  not_enough_content: 'The page has too little text.',
  language_unsupported: 'The language is not supported well enough.',
  no_candidates: 'The page has no suitable content, or every candidate would score worse in the checks.',
};

const resolvers: Resolvers = {
  Query: { seoSuggestions: (_, { input }, context) => seoSuggestions(input, context) },
  SeoSuggestion: {
    suggestionId: ({ id }) => id,
    text: ({ value }) => (typeof value === 'string' ? value : null),
    patchAsJson: ({ patch }) => patch,
  },
  SeoUnavailableSuggestion: {
    message: ({ code }) => reasons[code],
  },
};

/** Values that would serve a page. */
export const suggestion: Resource = {
  resolvers,
  inputRules: { seoSuggestions: suggestionProblems },
};
