/** A page that readers and search engines can reach, in one language. */
export interface AlternatePage {
  /** Canonical BCP 47 tag. */
  readonly bcp47: string;
  /** Absolute URL. */
  readonly href: string;
  readonly isDefaultLanguage: boolean;
  readonly isSource: boolean;
}

/** A `rel="alternate"` link: `hreflang` is a language, a language with script or region, or `x-default`. */
export interface Alternate {
  readonly hreflang: string;
  readonly href: string;
  /** Canonical BCP 47 tag; null for `x-default`. */
  readonly bcp47: string | null;
}

interface Candidate {
  readonly page: AlternatePage;
  readonly language: string;
  readonly base: string;
  readonly region: string | undefined;
}

/**
 * Returns the links between the pages of one content in several languages. A value is the language alone if it is
 * unambiguous, otherwise it includes the region. Private parts are dropped. Search engines do not support UN region
 * codes (`es-419`), so such pages are omitted. A single page has no alternates.
 *
 * @param pages in the order of their languages; of two with one value, the first is used
 */
export function toAlternates(pages: readonly AlternatePage[]): Alternate[] {
  const candidates = pages.flatMap(toCandidate);
  const perLanguage = Map.groupBy(candidates, ({ language }) => language);
  const alternates = new Map<string, Alternate>();
  for (const { page, language, base, region } of candidates) {
    const alone = (perLanguage.get(language) ?? []).length === 1;
    const hreflang = alone || region === undefined ? base : `${base}-${region}`;
    if (!alternates.has(hreflang)) alternates.set(hreflang, { hreflang, href: page.href, bcp47: page.bcp47 });
  }
  if (alternates.size < 2) return [];
  const standard = pages.find(({ isDefaultLanguage }) => isDefaultLanguage) ?? pages.find(isSourcePage);
  const fallback = standard ? [{ hreflang: 'x-default', href: standard.href, bcp47: null }] : [];
  return [...alternates.values(), ...fallback];
}

function isSourcePage({ isSource }: AlternatePage): boolean {
  return isSource;
}

function toCandidate(page: AlternatePage): Candidate[] {
  const { language, script, region } = new Intl.Locale(page.bcp47);
  if (region !== undefined && /^\d/.test(region)) return [];
  return [{ page, language, base: script ? `${language}-${script}` : language, region }];
}
