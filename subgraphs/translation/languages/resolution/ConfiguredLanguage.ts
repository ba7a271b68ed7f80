import { toKin } from '../../../platform/language/toKin.ts';

/** Members of a language that the resolution needs. */
export interface ConfiguredLanguage {
  /** Immutable name, lower case, as in `pt-br`. */
  readonly code: string;
  /** Host style, as in `pt_BR` or `de_DE_formal`. */
  readonly locale: string;
  /** Canonical BCP 47 tag, as in `pt-BR`. */
  readonly bcp47: string;
  /** Codes it had before; accepted on input, never put out. */
  readonly aliases: readonly string[];
  readonly active: boolean;
  /** Codes to try next, in this order. */
  readonly fallbacks: readonly string[];
}

/** The languages of one installation, ready to be searched. */
export interface LanguageIndex<L extends ConfiguredLanguage = ConfiguredLanguage> {
  /** Languages in their configured order. */
  readonly all: readonly L[];
  readonly default: L;
  readonly byCode: ReadonlyMap<string, L>;
  /**
   * Languages by code, alias, locale and tag, in lower case. For a duplicate name, code precedes alias, locale and tag,
   * in this order.
   */
  readonly byName: ReadonlyMap<string, L>;
  /** Languages by `toKin` of their tags, each in configured order. */
  readonly byKin: ReadonlyMap<string, readonly L[]>;
}

/**
 * Creates the index of a configuration.
 *
 * @param defaultCode code of one of the languages
 * @throws Error if it is not; configurations are validated before they are stored
 */
export function createLanguageIndex<L extends ConfiguredLanguage>(
  languages: readonly L[],
  defaultCode: string,
): LanguageIndex<L> {
  const byCode = new Map(languages.map((language) => [language.code, language]));
  const standard = byCode.get(defaultCode);
  if (!standard) throw new Error(`The default language "${defaultCode}" is not configured.`);
  const namings: ((language: L) => readonly string[])[] = [
    ({ bcp47 }) => [bcp47],
    ({ locale }) => [locale],
    ({ aliases }) => aliases,
    ({ code }) => [code],
  ];
  const byName = new Map<string, L>();
  for (const namesOf of namings) {
    for (const language of languages) {
      for (const name of namesOf(language)) byName.set(name.toLowerCase(), language);
    }
  }
  const byKin = Map.groupBy(languages, ({ bcp47 }) => toKin(bcp47));
  return { all: languages, default: standard, byCode, byName, byKin };
}
