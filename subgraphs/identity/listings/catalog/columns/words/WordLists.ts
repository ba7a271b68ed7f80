import { PostingLists } from './PostingLists.ts';
import { stemmerOf, type ToStem, toWords } from './toStems.ts';

/** Words of a language whose lists are kept at hand; when there are more, all are forgotten. */
const mostKnown = 50_000;
/** Instead of a list, for words that carry no meaning. */
const noList = -1;

/** Lists of texts by stem. */
export class WordLists {
  readonly postings = new PostingLists();
  readonly #listOf = new Map<string, number>();
  /** Texts repeat few words very often: looked up once, a word costs no stemming. */
  readonly #known = new Map<ToStem, Map<string, number>>();
  /** Fields of the text that is being added, by list. */
  #fieldsOf = new Uint8Array(64);

  get stems(): Iterable<[string, number]> {
    return this.#listOf;
  }

  /** The list of a stem; undefined where no text has it. */
  find(stem: string): number | undefined {
    return this.#listOf.get(stem);
  }

  /** @param text greater than every number before @param fields what it says in each of its fields, eight at most */
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

  /** Makes the list of a stem that has none. */
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

/** A part of a text keeps all of the text in memory; a copy does not. */
function copyOf(word: string): string {
  return Buffer.from(word, 'utf16le').toString('utf16le');
}
