import { CodeColumn } from './CodeColumn.ts';
import type { ColumnSource } from './IndexedListing.ts';
import { NumberColumn } from './NumberColumn.ts';
import type { Slices } from './Slices.ts';
import { WordIndex } from './words/WordIndex.ts';

/** Members of a public copy that the columns store. */
export const columnPaths = [
  'categoryIds',
  'condition',
  'price',
  'priceType',
  'priceRank',
  'attributes',
  'attributeTokens',
  'location.geo',
  'seller.type',
  'seller.id',
  'hasImages',
  'withdrawn',
  'publishedAt',
  'expiresAt',
  'changedAt',
  'title',
  'description',
  'attributesText',
  'languageTag',
  'translations',
] as const;

type AttributeName = `attributes.${string}`;

/** Columns of texts. */
export type TextName =
  | 'categoryId'
  | 'condition'
  | 'priceType'
  | 'sellerType'
  | 'sellerId'
  | 'currency'
  | AttributeName;

/** Columns of numbers. */
export type NumberName =
  | 'price'
  | 'priceRank'
  | 'publishedAt'
  | 'expiresAt'
  | 'changedAt'
  | 'lat'
  | 'lng'
  | 'hasImages'
  | AttributeName;

const firstCapacity = 64;

/**
 * Columns by which published listings of an installation are filtered, sorted and counted. A query is a few loops over
 * arrays of numbers, so its cost does not depend on its conditions. For texts, the columns store their words.
 */
export class ListingColumns {
  /** Row numbers below this one are in use or free. */
  size = 0;
  /** Ids of listings by row. */
  readonly ids: string[] = [];
  readonly words = new WordIndex();
  /** Translated texts by BCP 47 tag. */
  readonly translated = new Map<string, WordIndex>();
  #capacity = firstCapacity;
  readonly #rows = new Map<string, number>();
  readonly #free: number[] = [];
  readonly #texts = new Map<string, CodeColumn>();
  readonly #numbers = new Map<string, NumberColumn>();

  /** Returns a column of texts; that of an attribute as `attributes.fuel`. Undefined if no listing has a value. */
  findText(name: TextName): CodeColumn | undefined {
    return this.#texts.get(name);
  }

  /** A column of numbers; of an attribute as `attributes.mileageKm`. Undefined where no listing has any. */
  findNumber(name: NumberName): NumberColumn | undefined {
    return this.#numbers.get(name);
  }

  rowOf(id: string): number | undefined {
    return this.#rows.get(id);
  }

  /** Returns the time of the stored copy; null if there is none. */
  changedAtOf(id: string): number | null {
    const row = this.#rows.get(id);
    return row === undefined ? null : (this.#number('changedAt').values[row] ?? null);
  }

  /** Adds or replaces a listing. */
  put(source: ColumnSource): void {
    const row = this.#rows.get(source._id) ?? this.#claim(source._id);
    this.#clear(row);
    const { price, location, seller } = source;
    this.#text('categoryId').set(row, source.categoryIds);
    this.#text('condition').set(row, [source.condition]);
    this.#text('priceType').set(row, [source.priceType]);
    this.#text('sellerType').set(row, [seller.type]);
    this.#text('sellerId').set(row, [seller.id]);
    this.#number('priceRank').set(row, source.priceRank);
    this.#number('publishedAt').set(row, source.publishedAt.getTime());
    // A comparison with NaN is false, so a withdrawn listing counts as expired.
    this.#number('expiresAt').set(row, source.withdrawn ? Number.NaN : source.expiresAt.getTime());
    this.#number('changedAt').set(row, source.changedAt.getTime());
    this.#number('hasImages').set(row, source.hasImages ? 1 : 0);
    if (price) {
      this.#text('currency').set(row, [price.currency]);
      this.#number('price').set(row, price.amount);
    }
    if (location?.geo) {
      this.#number('lat').set(row, location.geo.lat);
      this.#number('lng').set(row, location.geo.lng);
    }
    this.#putAttributes(row, source);
    this.words.put(row, source);
    this.#putTranslations(row, source.translations ?? []);
  }

  /** Removes a listing. Its row is reused for the next new listing. */
  remove(id: string): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    this.#clear(row);
    this.words.remove(row);
    for (const words of this.translated.values()) words.remove(row);
    this.#rows.delete(id);
    this.ids[row] = '';
    this.#free.push(row);
  }

  /** Removes words of outdated texts if that frees enough memory. */
  *tidy(): Slices<void> {
    yield* this.words.tidy();
    for (const words of this.translated.values()) yield* words.tidy();
  }

  #putTranslations(row: number, translations: NonNullable<ColumnSource['translations']>): void {
    const byTag = Map.groupBy(translations, ({ languageTag }) => languageTag);
    for (const [tag, words] of this.translated) if (!byTag.has(tag)) words.remove(row);
    for (const [languageTag, texts] of byTag) {
      let words = this.translated.get(languageTag);
      if (!words) {
        words = new WordIndex();
        this.translated.set(languageTag, words);
      }
      const joined = (member: 'title' | 'description') => texts.map((text) => text[member]).join('\n');
      // Attributes are searched only in the owner's text.
      words.put(row, {
        languageTag,
        title: joined('title'),
        attributesText: '',
        description: joined('description'),
      });
    }
  }

  /** Stores numbers by value and other values by token. A public copy has no private attributes. */
  #putAttributes(row: number, { attributes, attributeTokens }: ColumnSource): void {
    for (const [name, value] of Object.entries(attributes))
      if (typeof value === 'number') this.#number(`attributes.${name}`).set(row, value);
    for (const [name, values] of byName(attributeTokens))
      if (typeof attributes[name] !== 'number') this.#text(`attributes.${name}`).set(row, values);
  }

  #text(name: TextName): CodeColumn {
    return this.#column(this.#texts, name, CodeColumn);
  }

  #number(name: NumberName): NumberColumn {
    return this.#column(this.#numbers, name, NumberColumn);
  }

  #claim(id: string): number {
    const row = this.#free.pop() ?? this.size++;
    if (row >= this.#capacity) {
      this.#capacity *= 2;
      for (const column of this.#texts.values()) column.grow(this.#capacity);
      for (const column of this.#numbers.values()) column.grow(this.#capacity);
    }
    this.#rows.set(id, row);
    this.ids[row] = id;
    return row;
  }

  #clear(row: number): void {
    for (const column of this.#texts.values()) column.clear(row);
    for (const column of this.#numbers.values()) column.clear(row);
  }

  #column<C>(columns: Map<string, C>, name: string, Column: new (capacity: number) => C): C {
    let column = columns.get(name);
    if (!column) {
      column = new Column(this.#capacity);
      columns.set(name, column);
    }
    return column;
  }
}

/** Groups `name=value` tokens by name, with the values of a name in a canonical order. */
export function byName(tokens: readonly string[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    const equals = token.indexOf('=');
    const name = token.slice(0, equals);
    const list = values.get(name);
    if (list) list.push(token.slice(equals + 1));
    else values.set(name, [token.slice(equals + 1)]);
  }
  for (const list of values.values()) if (list.length > 1) list.sort();
  return values;
}
