let regionNames: Intl.DisplayNames | undefined;
/** Groups of countries and placeholders that have a name but are no place to pick something up. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'ZZ', 'QO', 'XA', 'XB']);

/** Whether a text is the ISO 3166-1 alpha-2 code of a country. */
export function isCountry(code: string): boolean {
  // Made with the first place: it takes longer than a hundred modules of ours.
  regionNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return /^[A-Z]{2}$/.test(code) && !noCountries.has(code) && regionNames.of(code) !== undefined;
}
