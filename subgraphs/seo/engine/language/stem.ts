import { newStemmer, type Stemmer } from 'snowball-stemmers';

const algorithms = new Map([
  ['ar', 'arabic'],
  ['ca', 'catalan'],
  ['cs', 'czech'],
  ['da', 'danish'],
  ['de', 'german'],
  ['en', 'english'],
  ['es', 'spanish'],
  ['eu', 'basque'],
  ['fi', 'finnish'],
  ['fr', 'french'],
  ['ga', 'irish'],
  ['hu', 'hungarian'],
  ['hy', 'armenian'],
  ['it', 'italian'],
  ['nl', 'dutch'],
  ['no', 'norwegian'],
  ['pt', 'portuguese'],
  ['ro', 'romanian'],
  ['ru', 'russian'],
  ['sl', 'slovene'],
  ['sv', 'swedish'],
  ['ta', 'tamil'],
  ['tr', 'turkish'],
]);

/** No word of a language is longer; stemming a 100 KB token would cost quadratic time and mean nothing. */
const longestWord = 64;
const cacheSize = 20_000;

interface CachedStemmer {
  stemmer: Stemmer;
  stems: Map<string, string>;
}
const stemmers = new Map<string, CachedStemmer>();

/** Articles and pronouns that Romance languages write onto the next word with an apostrophe. */
const elisions = new Map([
  ['fr', /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|quelqu)'(?=.)/],
  ['it', /^(?:[cdlmstv]|un|all|dall|dell|nell|sull|coll|quell|quest|gl|bell|sant|tutt|anch|com|dov)'(?=.)/],
  ['ca', /^[dlmnst]'(?=.)/],
]);

/** `l'auto` is about `auto`: the word without an elided article; unchanged in languages without elision. */
export function stripElision(form: string, language: string): string {
  const elision = form.includes("'") ? elisions.get(language) : undefined;
  return elision ? form.replace(elision, '') : form;
}

export function hasStemmer(language: string): boolean {
  return algorithms.has(language);
}

/**
 * The Snowball stem of a word form (see `toWordForm`), or the form itself where the language has no stemmer.
 * Each language keeps at most 20,000 stems; a full cache is emptied, which changes speed and nothing else.
 */
export function stem(form: string, language: string): string {
  const bare = stripElision(form, language);
  const algorithm = algorithms.get(language);
  if (algorithm === undefined || bare.length > longestWord) return bare;
  let cached = stemmers.get(language);
  if (!cached) {
    cached = { stemmer: newStemmer(algorithm), stems: new Map() };
    stemmers.set(language, cached);
  }
  const known = cached.stems.get(bare);
  if (known !== undefined) return known;
  const result = cached.stemmer.stem(bare);
  if (cached.stems.size >= cacheSize) cached.stems.clear();
  cached.stems.set(bare, result);
  return result;
}
