/** Kinds of suggestions without AI. */
export const suggestionKinds = [
  'seo_title',
  'meta_description',
  'slug',
  'keyphrase',
  'headings',
  'internal_links',
  'schema',
  'image_alt',
  'social',
  'canonical',
] as const;

/** One of them. */
export type SuggestionKind = (typeof suggestionKinds)[number];
