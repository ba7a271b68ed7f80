/** A language that readers of another one can read too. */
interface ReadableLanguage {
  /** Language of the reader, or language and script. */
  readonly wanted: string;
  readonly offered: string;
  /** Distance in CLDR's `languageMatching`. */
  readonly distance: number;
  /** Whether readers of the offered language do not read the wanted one. */
  readonly isOneWay: boolean;
}

/**
 * From CLDR's `languageMatching` (48.2), nearest first: every pair of languages at a distance of at most 5, and both
 * scripts of Serbian. Cantonese is further from Chinese and Nynorsk from Bokmål, but their readers learn both at school.
 * All other pairs (Danish and Norwegian, Catalan and Spanish) are left to configured fallbacks.
 */
export const readableLanguages: readonly ReadableLanguage[] = [
  { wanted: 'hr', offered: 'bs', distance: 4, isOneWay: false },
  { wanted: 'gsw', offered: 'de', distance: 4, isOneWay: true },
  { wanted: 'lb', offered: 'de', distance: 4, isOneWay: true },
  { wanted: 'ssy', offered: 'aa', distance: 4, isOneWay: false },
  { wanted: 'sr-Latn', offered: 'sr-Cyrl', distance: 5, isOneWay: false },
  { wanted: 'yue', offered: 'zh', distance: 10, isOneWay: true },
  { wanted: 'nn', offered: 'nb', distance: 20, isOneWay: false },
];

/**
 * Returns the kins (see `toKin`) that readers of a kin can read besides their own, nearest first. Languages are matched
 * within one script.
 */
export function readableKins(kin: string): string[] {
  const [language = '', script = ''] = kin.split('-');
  const offeredBy = (from: string, to: string): string[] => {
    if (from === kin) return [to];
    return from === language ? [`${to}-${script}`] : [];
  };
  return readableLanguages.flatMap(({ wanted, offered, isOneWay }) => [
    ...offeredBy(wanted, offered),
    ...(isOneWay ? [] : offeredBy(offered, wanted)),
  ]);
}
