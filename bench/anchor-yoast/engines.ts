import { analyze } from '../../subgraphs/seo/engine/analyze.ts';
import type { Analysis } from '../../subgraphs/seo/engine/contract.ts';
import { openAnchor } from './anchor.ts';
import type { Article } from './readArticles.ts';

/** Analyses an article. */
export type Run = (article: Article) => unknown;

/** Returns our analysis of an article, with the fields that the anchor reads too. */
export function analyzeArticle(article: Article): Analysis {
  const { html: content, title, keyphrase, metaDescription, slug, permalink, language } = article;
  return analyze({
    content,
    title,
    keyphrase,
    metaDescription,
    slug,
    permalink,
    locale: language,
    canonicalUrl: null,
  });
}

/** Opens `ours` or `anchor` for a language. */
export function openEngine(side: string, language: string): Run {
  return side === 'ours' ? analyzeArticle : openAnchor(language);
}
