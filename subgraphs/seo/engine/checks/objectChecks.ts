import type { Check } from './Check.ts';

type ObjectCheck = Pick<Check, 'id' | 'group' | 'title' | 'description'>;

/**
 * Checks that compare the page with others. A draft is no stored object and the engine reads nothing but its
 * input, so they never apply here; they are listed because a client must see the whole catalogue.
 */
function objectCheck(definition: ObjectCheck): Check {
  return {
    ...definition,
    requires: [],
    needs: null,
    forRelated: false,
    evaluate: () => ({ notApplicable: 'object_unknown' }),
  };
}

export const keyphraseUnique = objectCheck({
  id: 'keyphrase.unique',
  group: 'keyphrase',
  title: 'Keyphrase not used before',
  description: 'Two pages of a site with the same keyphrase compete with each other.',
});

export const titleUnique = objectCheck({
  id: 'title.unique',
  group: 'snippet',
  title: 'Title not used before',
  description: 'Each published page of a language has a title of its own.',
});

export const metaUnique = objectCheck({
  id: 'meta.unique',
  group: 'snippet',
  title: 'Meta description not used before',
  description: 'Each published page of a language has a description of its own.',
});

export const contentDuplicate = objectCheck({
  id: 'content.duplicate',
  group: 'content',
  title: 'No near copy',
  description: 'A page that nearly copies another is listed only once.',
});

export const linksBrokenInternal = objectCheck({
  id: 'links.broken_internal',
  group: 'links',
  title: 'No broken internal links',
  description: 'Pages that are linked inside the site exist and are published.',
});

export const hreflangValid = objectCheck({
  id: 'hreflang.valid',
  group: 'technical',
  title: 'Language alternatives',
  description: 'Translations of a page name each other, with valid language tags.',
});
