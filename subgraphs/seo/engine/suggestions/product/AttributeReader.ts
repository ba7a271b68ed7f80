import type { AttributeDisplay, ProductInput } from '../../contract.ts';
import { findWrittenForm, isReference, toName } from './writtenForm.ts';

/** The language of labels that are the same in every language, such as names of makers. */
const everyLanguage = 'und';

/** Reads attributes of a product as readers see them: with labels and units in the page's language. */
export class AttributeReader {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #display: Readonly<Record<string, AttributeDisplay>>;
  readonly #languageTag: string;
  /** Texts in which names of makes and models are written. */
  readonly #texts: readonly string[];

  constructor(product: ProductInput | null | undefined, languageTag: string, texts: readonly string[]) {
    const { attributes } = product ?? {};
    this.#values =
      typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes)
        ? (attributes as Record<string, unknown>)
        : {};
    this.#display = product?.attributeDisplay ?? {};
    this.#languageTag = languageTag;
    this.#texts = texts;
  }

  /** Returns the first attribute of these names as a stored text or number; empty if there is none. */
  raw(...names: readonly string[]): string {
    for (const name of names) {
      const value = this.#values[name];
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
      if (typeof value === 'number') return String(value);
    }
    return '';
  }

  /** Returns a name, such as a make: as the page writes it, else its label, else with capitals. */
  name(...names: readonly string[]): string {
    const value = this.raw(...names);
    return isReference(value) ? this.nameOf(value, names) : value;
  }

  /** Returns a reference as a name. */
  nameOf(reference: string, attributes: readonly string[]): string {
    if (!isReference(reference)) return reference;
    return (
      findWrittenForm(reference, this.#texts) ??
      attributes.map((name) => this.#labelOf(name, reference)).find(Boolean) ??
      toName(reference)
    );
  }

  /**
   * Returns the value as a text in the page's language, as in `150 hp` or `Schaltgetriebe`. Empty if the attribute is
   * missing, or if its stored value has no label in this language.
   */
  text(...names: readonly string[]): string {
    for (const name of names) {
      const value = this.#values[name];
      if (typeof value === 'number') return this.#amount(name, value);
      if (typeof value !== 'string' || value.trim() === '') continue;
      const text = value.trim();
      if (!this.#display[name]) return isReference(text) && /[-_]/.test(text) ? '' : text;
      return this.#labelOf(name, text) ?? '';
    }
    return '';
  }

  #amount(name: string, value: number): string {
    const { unit, readerUnit } = this.#display[name] ?? {};
    const customary = readerUnit && this.#inLanguage(readerUnit.names);
    const amount = customary && readerUnit ? Math.round(value * readerUnit.factor) : value;
    const name_ = customary ?? unit;
    if (!name_) return '';
    return `${new Intl.NumberFormat(this.#languageTag).format(amount)} ${name_}`;
  }

  #labelOf(name: string, value: string): string | null {
    const labels = this.#display[name]?.valueLabels?.[value];
    return labels ? this.#inLanguage(labels) : null;
  }

  #inLanguage(labels: Readonly<Record<string, string>>): string | null {
    const [language = ''] = this.#languageTag.split('-');
    return labels[this.#languageTag] ?? labels[language] ?? labels[everyLanguage] ?? null;
  }
}
