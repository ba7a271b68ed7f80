import type { LanguageInfo, SupportLevel } from '../contract.ts';
import { arabic } from './ar.ts';
import { german } from './de.ts';
import { english } from './en.ts';
import { spanish } from './es.ts';
import { french } from './fr.ts';
import { furtherGrammars } from './grammar/furtherGrammars.ts';
import { italian } from './it.ts';
import { japanese } from './ja.ts';
import type { LanguageData } from './LanguageData.ts';
import { findLightStarters } from './lightStarters.ts';
import { dutch } from './nl.ts';
import { polish } from './pl.ts';
import { portuguese } from './pt.ts';
import { russian } from './ru.ts';
import { hasStemmer } from './stemming/stem.ts';
import { findStopWords, stopWordLanguages } from './stopWords.ts';

const authored: readonly LanguageData[] = [
  english,
  german,
  french,
  spanish,
  italian,
  dutch,
  portuguese,
  russian,
  polish,
  arabic,
  japanese,
];
const known = new Map(authored.map((data) => [data.code, data]));

/** Codes under which the same language travels; the written Norwegian languages share one list and stemmer. */
const aliases = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['fil', 'tl'],
]);

/**
 * Returns the data of a language: its own file, or the data of its stop-word list with its grammar, or only its code.
 */
export function findLanguage(code: string): LanguageData {
  const canonical = aliases.get(code) ?? code;
  const found = known.get(canonical);
  if (found) return found;
  const data: LanguageData = {
    code: canonical,
    functionWords: findStopWords(canonical),
    transitions: null,
    findPassives: null,
    readingEase: null,
    genericAnchors: null,
    lightStarters: findLightStarters(canonical),
    abbreviations: new Set(),
    ordinalFollowers: new Set(),
    ...furtherGrammars.get(canonical),
  };
  // Only codes with a list are cached, because invented language tags must not grow the table.
  if (data.functionWords) known.set(canonical, data);
  return data;
}

/** Returns the languages with a file of their own. */
export function authoredLanguages(): readonly LanguageData[] {
  return authored;
}

export type LanguageFeature =
  | 'functionWords'
  | 'transitions'
  | 'findPassives'
  | 'readingEase'
  | 'genericAnchors';

/** Returns the languages that support a feature, sorted. */
export function languagesWith(feature: LanguageFeature): string[] {
  const codes = new Set(authored.filter((data) => data[feature] !== null).map((data) => data.code));
  if (feature === 'transitions' || feature === 'findPassives')
    for (const [code, grammar] of furtherGrammars) if (grammar[feature] !== null) codes.add(code);
  if (feature === 'functionWords') for (const code of stopWordLanguages()) codes.add(code);
  return [...codes].sort();
}

/** Describes the support of a language. `full` requires all data, so that no check is missing at this level. */
export function describeSupport(
  data: LanguageData,
): Pick<
  LanguageInfo,
  'level' | 'stemming' | 'functionWords' | 'transitionWords' | 'passiveVoice' | 'readingEase'
> {
  const stemming = hasStemmer(data.code);
  const functionWords = data.functionWords !== null;
  const transitionWords = data.transitions !== null;
  const passiveVoice = data.findPassives !== null;
  const full = stemming && functionWords && transitionWords && passiveVoice;
  const level: SupportLevel = full ? 'full' : stemming || functionWords ? 'basic' : 'segmentation_only';
  return {
    level,
    stemming,
    functionWords,
    transitionWords,
    passiveVoice,
    readingEase: data.readingEase !== null,
  };
}
