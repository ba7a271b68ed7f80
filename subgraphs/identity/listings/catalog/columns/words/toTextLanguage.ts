/** Stemmers by primary language: the languages of MongoDB's text indexes. */
const stemmers: Readonly<Record<string, string>> = {
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  nb: 'norwegian',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  tr: 'turkish',
};

/** Returns the stemmer for a BCP 47 tag; `none` for languages without one. */
export function toTextLanguage(languageTag: string): string {
  return stemmers[languageTag.split('-')[0]?.toLowerCase() ?? ''] ?? 'none';
}
