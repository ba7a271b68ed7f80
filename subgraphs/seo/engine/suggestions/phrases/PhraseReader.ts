import type { AnalysisContext } from '../../checks/AnalysisContext.ts';
import { isFunctionWord } from '../../keyphrase/parsePhrase.ts';
import { findPhraseWords, type PhraseWords } from '../../language/phraseWords.ts';
import { stem, stripElision } from '../../language/stemming/stem.ts';
import type { Word } from '../../text/readWords.ts';

/** A stretch of text and what an occurrence in it weighs. */
export interface Stretch {
  readonly text: string;
  readonly words: readonly Word[];
  readonly weight: number;
  readonly isTitle: boolean;
}

/** A word, or several that hyphens join, as a unit of phrases. */
export interface Unit {
  readonly start: number;
  readonly end: number;
  readonly form: string;
  readonly stems: readonly string[];
  /** A joiner connects content words, any other function word separates phrases. */
  readonly role: 'content' | 'joiner' | 'boundary';
  /** Whether a phrase may begin, or end, with it. */
  readonly mayBegin: boolean;
  readonly mayEnd: boolean;
  /** Whether something other than space or a hyphen is before it. */
  readonly isSeparated: boolean;
}

/** Number of occurrences of a stem in places of a verb and of a noun. */
interface Evidence {
  verb: number;
  noun: number;
}

const joins = /^[\s\u00ad]*$/u;
const capitalOrDigit = /^[\p{Lu}\p{Lt}\p{N}]/u;

/** Reads stretches of a page as units that form noun phrases. */
export class PhraseReader {
  readonly #context: AnalysisContext;
  readonly #grammar: PhraseWords;
  readonly #evidence = new Map<string, Evidence>();

  constructor(context: AnalysisContext, stretches: readonly Stretch[]) {
    this.#context = context;
    this.#grammar = findPhraseWords(context.language.code);
    for (const { words, text } of stretches) this.#weigh(words, text);
  }

  /** Returns the units of a stretch in order. */
  read({ text, words }: Stretch): Unit[] {
    const units: Unit[] = [];
    for (let at = 0; at < words.length; ) {
      let end = at + 1;
      while (end < words.length && words[end]?.isPart && text[(words[end]?.start ?? 0) - 1] !== '.') end += 1;
      const unit = this.#toUnit(text, words.slice(at, end), words[at - 1]?.end ?? null);
      if (unit) units.push(unit);
      at = end;
    }
    return units;
  }

  #toUnit(text: string, words: readonly Word[], before: number | null): Unit | null {
    const [first] = words;
    const last = words.at(-1);
    if (!first || !last) return null;
    const { language } = this.#context;
    const content = words.filter(({ form }) => !isFunctionWord(form, language));
    const { form } = first;
    const role = content.length > 0 ? 'content' : this.#grammar.joiners.has(form) ? 'joiner' : 'boundary';
    // An elided article or preposition is not part of a phrase at whose start it stands.
    const elided = first.form.length - stripElision(first.form, language.code).length;
    const surface = text.slice(first.start + elided, last.end);
    const isNominal = role === 'content' && this.#isNominal(content);
    return {
      start: first.start + elided,
      end: last.end,
      form,
      stems: content.map((word) => stem(word.form, language.code)),
      role,
      mayBegin: isNominal,
      // German adjectives begin phrases, but only nouns, which have a capital, end them.
      mayEnd: isNominal && (!this.#grammar.capitalNouns || capitalOrDigit.test(surface)),
      isSeparated: before === null || !joins.test(text.slice(before, first.start)),
    };
  }

  #isNominal(content: readonly Word[]): boolean {
    const last = content.at(-1);
    if (!last || this.#grammar.verbs.has(last.form)) return false;
    const evidence = this.#evidence.get(stem(last.form, this.#context.language.code));
    return !evidence || evidence.verb <= evidence.noun;
  }

  /** Counts in which places the content words occur. */
  #weigh(words: readonly Word[], text: string): void {
    const { language } = this.#context;
    const { determiners, beforeVerb } = this.#grammar;
    for (const [at, word] of words.entries()) {
      if (isFunctionWord(word.form, language)) continue;
      const before = words[at - 1];
      const after = words[at + 1];
      const isAdjacent = after !== undefined && joins.test(text.slice(word.end, after.start));
      const isVerb = (before && beforeVerb.has(before.form)) || (isAdjacent && determiners.has(after.form));
      const isNoun = before && (determiners.has(before.form) || this.#grammar.joiners.has(before.form));
      if (!isVerb && !isNoun) continue;
      const key = stem(word.form, language.code);
      const evidence = this.#evidence.get(key) ?? { verb: 0, noun: 0 };
      if (isVerb) evidence.verb += 1;
      else evidence.noun += 1;
      this.#evidence.set(key, evidence);
    }
  }
}
