import { createHash } from 'node:crypto';
import { hostilePages } from '../../bench/data/hostilePages.ts';
import { sampleLanguages, sampleText } from '../../bench/data/sampleText.ts';
import { analyze } from '../../subgraphs/seo/engine/analyze.ts';
import type { AnalysisInput } from '../../subgraphs/seo/engine/contract.ts';

const profiles = ['article', 'page', 'product', 'collection'] as const;
/** Maximum length of a hostile page, which is enough to reveal state that is kept between pages. */
const hostileCharacters = 20_000;

/** A page with content for every check. */
function pageOf(locale: string, index: number): AnalysisInput {
  const { html, keyphrase } = sampleText(locale, 400);
  return {
    content: `${html}<img src="/a.jpg" alt="${keyphrase}"><h4>${keyphrase}</h4><a href="#">more</a><ul><li>1</li></ul>`,
    locale,
    keyphrase: index % 5 === 0 ? `"${keyphrase}"` : keyphrase,
    synonyms: [keyphrase.split(' ')[0] ?? ''],
    relatedKeyphrases: [{ keyphrase: 'used car', synonyms: ['old car'] }],
    profile: profiles[index % profiles.length] ?? 'article',
    title: keyphrase,
    seoTitle: `${keyphrase} | Shop ${index}`,
    metaDescription: html.replace(/<[^>]*>/g, '').slice(0, 140),
    slug: `an-article-${index}`,
    permalink: 'https://example.com/an-article',
    canonicalUrl: index % 2 === 0 ? 'https://example.com/an-article' : null,
    images: [{ src: '/b.jpg', alt: null }],
    schema: [{ '@type': 'Car', name: keyphrase, offers: { price: 1 } }],
    social: { ogTitle: keyphrase },
    product: { price: 100, currency: 'EUR', availability: 'InStock', attributes: { b: 1, a: 'x' } },
    isCornerstone: index % 3 === 0,
    surroundings: {
      keyphraseUses: index % 3,
      titleUses: 0,
      descriptionUses: 1,
      nearestCopy: index,
      publishedLinks: [],
      goneLinks: [],
      alternates: null,
    },
  };
}

/** Every page of the corpus by name: one in each supported language, and the hostile ones. */
export const corpus: ReadonlyMap<string, AnalysisInput> = new Map([
  ...sampleLanguages.map((locale, index) => [locale, pageOf(locale, index)] as const),
  ...Object.entries(hostilePages).map(
    ([name, content]) =>
      [name, { content: content.slice(0, hostileCharacters), locale: 'en', keyphrase: 'used car' }] as const,
  ),
]);

/** One line for each page: its name and the digest of the bytes of its analysis. */
export function digestCorpus({ reversed = false } = {}): string[] {
  const pages = reversed ? [...corpus].reverse() : [...corpus];
  return pages
    .map(([name, page]) => {
      const bytes = JSON.stringify(analyze(page));
      return `${name} ${createHash('sha256').update(bytes).digest('hex')}`;
    })
    .sort();
}
