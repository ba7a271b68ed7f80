import { createRequire } from 'node:module';
import type { Article } from './readArticles.ts';

/** Scores of an article by the anchor, under its own names. */
export type AnchorScores = ReadonlyMap<string, { score: number; text: string }>;

interface AnchorAssessor {
  assess(paper: object): void;
  getValidResults(): { getIdentifier(): string; getScore(): number; getText(): string }[];
}

const require = createRequire(import.meta.url);

/** Opens the anchor for a language; its modules have no types. */
export function openAnchor(language: string): (article: Article) => AnchorScores {
  const { Paper, assessors } = require('yoastseo');
  const { default: Researcher } = require(
    `yoastseo/build/languageProcessing/languages/${language}/Researcher`,
  );
  return (article) => {
    const paper = new Paper(article.html, {
      keyword: article.keyphrase,
      title: article.title,
      titleWidth: article.title.length * 9,
      description: article.metaDescription,
      slug: article.slug,
      permalink: article.permalink,
      locale: language,
    });
    const researcher = new Researcher(paper);
    const scores = new Map<string, { score: number; text: string }>();
    for (const Assessor of [assessors.SEOAssessor, assessors.ContentAssessor]) {
      const assessor: AnchorAssessor = new Assessor(researcher);
      assessor.assess(paper);
      for (const result of assessor.getValidResults()) {
        scores.set(result.getIdentifier(), {
          score: result.getScore(),
          text: result.getText().replace(/<[^>]*>/g, ''),
        });
      }
    }
    return scores;
  };
}
