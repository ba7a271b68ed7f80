import type { LanguageData } from '../language/LanguageData.ts';
import { stem } from '../language/stemming/stem.ts';
import { readWords } from '../text/readWords.ts';
import { isFunctionWord, type Phrase } from './parsePhrase.ts';

/** A heading, a link text or an alternative text, cut once and compared with many phrases. */
export interface ShortText {
  forms: readonly string[];
  stems: ReadonlySet<string>;
  /** Stems without those of function words. */
  contentStems: ReadonlySet<string>;
}

export type ReadShortText = (text: string) => ShortText;

/** Returns a caching reader, because pages repeat link texts, and every related keyphrase reads the same ones. */
export function shortTextReader(language: LanguageData, languageTag: string): ReadShortText {
  const known = new Map<string, ShortText>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const forms = readWords(text, languageTag).map((word) => word.form);
    const content = forms.filter((form) => !isFunctionWord(form, language));
    const read: ShortText = {
      forms,
      stems: new Set(forms.map((form) => stem(form, language.code))),
      contentStems: new Set(content.map((form) => stem(form, language.code))),
    };
    known.set(text, read);
    return read;
  };
}

function hasSequence(text: ShortText, forms: readonly string[]): boolean {
  return text.forms.some((_, at) => forms.every((form, offset) => text.forms[at + offset] === form));
}

/** Returns how many of the phrase's content words the text contains; all or none for an exact phrase. */
export function countPhraseWords(text: ShortText, phrase: Phrase): number {
  if (phrase.exact) return hasSequence(text, phrase.forms) ? phrase.stems.length : 0;
  return phrase.stems.filter((value) => text.stems.has(value)).length;
}

/** Returns whether the text is only the phrase: the same content words, or exactly the same forms. */
export function saysOnly(text: ShortText, phrase: Phrase): boolean {
  if (phrase.exact) return text.forms.length === phrase.forms.length && hasSequence(text, phrase.forms);
  const stems = phrase.onlyFunctionWords ? text.stems : text.contentStems;
  return stems.size === phrase.stems.length && phrase.stems.every((value) => stems.has(value));
}
