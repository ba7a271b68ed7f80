import { PostingLists } from './PostingLists.ts';
import { stemmerOf, type ToStem, toWords } from './toStems.ts';

/** Number of cached words of a language; when there are more, the cache is cleared. */
const mostKnown = 50_000;
/** Value instead of a list, for stop words. */
const noList = -1;

/** Lists of texts by stem. */
export class WordLists {
  readonly postings = new PostingLists();
  readonly #listOf = new Map<string, number>();
  /** Texts repeat few words very often, so cached words need no stemming. */
  readonly #known = new Map<ToStem, Map<string, number>>();
  /** Fields of the text that is being added, by list. */
  #fieldsOf = new Uint8Array(64);

  get stems(): Iterable<[string, number]> {
    return this.#listOf;
  }

  /** Returns the list of a stem, undefined if no text contains it. */
  find(stem: string): number | undefined {
    return this.#listOf.get(stem);
  }

  /**
   * Adds a text.
   *
   * @param text greater than every earlier number
   * @param fields text of each field, at most eight
   */
  add(text: number, fields: readonly string[], languageTag: string): void {
    const toStem = stemmerOf(languageTag);
    const known = this.#knownOf(toStem);
    const found: number[] = [];
    for (const [bit, field] of fields.entries())
      for (const word of toWords(field)) {
        const list = known.get(word) ?? this.#learn(word, toStem, known);
        if (list === noList) continue;
        const before = this.#fieldsOf[list] as number;
        if (before === 0) found.push(list);
        this.#fieldsOf[list] = before | (1 << bit);
      }
    for (const list of found) {
      this.postings.append(list, text, this.#fieldsOf[list] as number);
      this.#fieldsOf[list] = 0;
    }
  }

  /** Creates the list of a new stem. */
  open(stem: string): number {
    const list = this.postings.open();
    if (list >= this.#fieldsOf.length) {
      const grown = new Uint8Array(this.#fieldsOf.length * 2);
      grown.set(this.#fieldsOf);
      this.#fieldsOf = grown;
    }
    this.#listOf.set(stem, list);
    return list;
  }

  #knownOf(toStem: ToStem): Map<string, number> {
    let known = this.#known.get(toStem);
    if (!known || known.size >= mostKnown) {
      known = new Map();
      this.#known.set(toStem, known);
    }
    return known;
  }

  #learn(word: string, toStem: ToStem, known: Map<string, number>): number {
    const stem = toStem(word);
    const list = stem === null ? noList : (this.#listOf.get(stem) ?? this.open(copyOf(stem)));
    known.set(copyOf(word), list);
    return list;
  }
}

/** Copies a word, because a substring keeps the whole text in memory. */
function copyOf(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}
