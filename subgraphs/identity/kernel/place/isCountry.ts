let regionNames: Intl.DisplayNames | undefined;
/** Country groups and placeholders that have a name but are not a pickup place. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'ZZ', 'QO', 'XA', 'XB']);

/** Returns whether a text is the ISO 3166-1 alpha-2 code of a country. */
export function isCountry(code: string): boolean {
  // Created on first use, because construction takes longer than loading a hundred modules.
  regionNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && regionNames.of(code) !== undefined;
}
