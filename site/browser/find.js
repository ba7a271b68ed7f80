// @ts-check
'use strict';

/** @typedef {import('../search/sectionsOf.ts').Section} Section */

/**
 * The members of a MiniSearch index that are used. A query is a word, or several queries of which all or one must match.
 *
 * @typedef {string | { combineWith: 'AND' | 'OR', queries: Query[] }} Query
 * @typedef {{ addAll(sections: object[]): void, search(query: Query): Section[] }} Index
 */

/**
 * Creates the search in the documentation.
 *
 * @param {new (options: object) => Index} MiniSearch
 * @param {{ sections: Section[], synonyms: Record<string, string[]> }} site
 * @returns {(typed: string) => Section[]} the sections with all typed words or, if there are none, with some of them
 */
function createFind(MiniSearch, { sections, synonyms }) {
  const index = new MiniSearch({
    idField: 'path',
    fields: ['title', 'heading', 'words', 'text'],
    storeFields: ['path', 'title', 'heading'],
    processTerm: singular,
    searchOptions: {
      boost: { title: 6, words: 4, heading: 3 },
      // Guides come before generated pages, and a page before its sections.
      boostDocument: (/** @type {string} */ path) =>
        (/^docs\/routes|^problems/.test(path) ? 0.3 : 1) * (path.includes('#') ? 1 : 1.5),
      prefix: (/** @type {string} */ term) => term.length > 2,
      fuzzy: (/** @type {string} */ term) => (term.length > 4 ? 0.2 : false),
      // A word that was typed counts more than one that only begins with it or resembles it.
      weights: { fuzzy: 0.1, prefix: 0.5 },
    },
  });
  index.addAll(sections);
  return (typed) => {
    const words = wordsOf(typed);
    if (words.length === 0) return [];
    const queries = words.map((word) => {
      const others = synonyms[singular(word)] ?? [];
      return any([word, ...others.map((other) => all(wordsOf(other)))]);
    });
    const found = index.search(all(queries));
    return found.length > 0 ? found : index.search(any(queries));
  };

  /** @param {string} typed */
  function wordsOf(typed) {
    return typed.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  }
  /** @param {string} word */
  function singular(word) {
    const lower = word.toLowerCase();
    return lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') ? lower.slice(0, -1) : lower;
  }
  /** @param {Query[]} queries @returns {Query} */
  function all(queries) {
    return { combineWith: 'AND', queries };
  }
  /** @param {Query[]} queries @returns {Query} */
  function any(queries) {
    return { combineWith: 'OR', queries };
  }
}

Object.assign(globalThis, { createFind });
