import { newStemmer, type Stemmer } from 'snowball-stemmers';
import { stemJapanese } from '../ja.ts';
import { stemGreek } from './stemGreek.ts';
import { stemHebrew } from './stemHebrew.ts';
import { stemKorean } from './stemKorean.ts';
import { stemPersian } from './stemPersian.ts';
import { stemPolish } from './stemPolish.ts';
import { stemUkrainian } from './stemUkrainian.ts';

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

/** Endings that are written after an apostrophe. */
const genitive = /'s?$/;
const turkishCase = /'.*$/u;
/** The possessive of a word that ends with a vowel; Snowball removes only its vowel. */
const turkishPossessive = /(?<=\p{L}{2}[aeıioöuü])s[ıiuü]$/u;
/**
 * Matches the article in words such as `السيارات`, and a preposition before a hamza (`لإدارة`). Snowball takes the first letter after it for a verbal prefix, which
 * no noun with an article has.
 */
const arabicArticle = /^(?:[وفبك]?ال|[وف]?[لب](?=[إأ]))(?=\p{L}{3})/u;
/** The feminine plural and dual. Snowball takes the first letter of `سيارات` for a verbal prefix. */
const arabicPlural = /(?<=\p{L}{3})(?:ات|تان|تين)$/u;

/** Rewrites of a form for its stemmer. */
const preparations = new Map<string, (form: string) => string>([
  ['ar', (form) => form.replace(arabicArticle, '').replace(arabicPlural, 'ة')],
  ['da', (form) => form.replace(genitive, '')],
  ['nl', (form) => form.replace(genitive, '')],
  ['no', (form) => form.replace(genitive, '')],
  ['sv', (form) => form.replace(genitive, '')],
  ['tr', (form) => form.replace(turkishCase, '').replace(turkishPossessive, '')],
]);
/** Languages whose Snowball stems are stemmed again, because `arabalar` gives `araba`, and that gives `arap`. */
const repeated = new Set(['ar', 'tr']);
const mostRepetitions = 3;

/** Light stemmers of languages without a Snowball algorithm. */
const lightStemmers = new Map<string, Stemmer>([
  ['el', { stem: stemGreek }],
  ['fa', { stem: stemPersian }],
  ['he', { stem: stemHebrew }],
  ['ja', { stem: stemJapanese }],
  ['ko', { stem: stemKorean }],
  ['pl', { stem: stemPolish }],
  ['uk', { stem: stemUkrainian }],
]);

/** Maximum length of a word. Stemming a 100 KB token would take quadratic time and have no meaning. */
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

/** Returns the word without an elided article, as in `auto` for `l'auto`; unchanged in languages without elision. */
export function stripElision(form: string, language: string): string {
  const elision = form.includes("'") ? elisions.get(language) : undefined;
  return elision ? form.replace(elision, '') : form;
}

export function hasStemmer(language: string): boolean {
  return algorithms.has(language) || lightStemmers.has(language);
}

function openStemmer(language: string): CachedStemmer | null {
  const algorithm = algorithms.get(language);
  const stemmer = algorithm === undefined ? lightStemmers.get(language) : newStemmer(algorithm);
  if (!stemmer) return null;
  const opened = { stemmer, stems: new Map<string, string>() };
  stemmers.set(language, opened);
  return opened;
}

function applyStemmer(stemmer: Stemmer, form: string, language: string): string {
  let result = stemmer.stem(form);
  for (let times = 1; repeated.has(language) && times < mostRepetitions; times += 1)
    result = stemmer.stem(result);
  return result;
}

/**
 * Returns the stem of a word form by Snowball or light rules (see `toWordForm`), or the form itself if the language has
 * no stemmer. Each language caches at most 20,000 stems; a full cache is cleared, which affects only the speed.
 */
export function stem(form: string, language: string): string {
  const bare = stripElision(form, language);
  if (bare.length > longestWord) return bare;
  const cached = stemmers.get(language) ?? openStemmer(language);
  if (!cached) return bare;
  const known = cached.stems.get(bare);
  if (known !== undefined) return known;
  const result = applyStemmer(cached.stemmer, preparations.get(language)?.(bare) ?? bare, language);
  if (cached.stems.size >= cacheSize) cached.stems.clear();
  cached.stems.set(bare, result);
  return result;
}
