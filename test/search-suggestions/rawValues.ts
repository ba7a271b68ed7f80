import type { GoldenCase } from './golden/GoldenCase.ts';

/** Stored values that are also what readers see: English words, and names of fuels that other languages share. */
const alsoWords: Readonly<Record<string, RegExp>> = {
  en: /^[a-z]+$/,
  fr: /^(?:diesel|suv)$/,
  es: /^suv$/,
};

/**
 * Returns the stored values of a listing that no reader should see: references and enum values, unless the page
 * itself contains them as a word in this spelling.
 */
export function rawValuesOf({ locale, content, title, product }: GoldenCase['page']): string[] {
  const { make, model, ...attributes } = (product?.attributes ?? {}) as Record<string, unknown>;
  const word = alsoWords[locale.slice(0, 2)];
  const facts = Object.values(attributes)
    .flat()
    .filter((value) => !(typeof value === 'string' && word?.test(value)));
  const values = [make, model, product?.brand, ...facts].filter((value) => typeof value === 'string');
  const isReference = (value: string) => /^[a-z0-9]+([_-][a-z0-9]+)*$/.test(value) && /[a-z]/.test(value);
  const words = new Set(`${title} ${content}`.match(/[\p{L}\p{N}_-]+/gu) ?? []);
  return [...new Set(values)].filter((value) => isReference(value) && !words.has(value));
}
