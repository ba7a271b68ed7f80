import type { AnalysisContext } from './checks/AnalysisContext.ts';
import type { Metrics, OutlineEntry } from './contract.ts';
import { collapseWhitespace } from './html/readDocument.ts';
import { countCodePoints } from './text/countCodePoints.ts';
import { measureTitle } from './text/measureTitle.ts';

/** A quiet pace for reading on a screen. */
const wordsPerMinute = 200;
const headingLevels = [1, 2, 3, 4, 5, 6];

/** Counts the visible characters of the body as code points, whitespace collapsed. */
function countCharacters({ document }: AnalysisContext): number {
  return countCodePoints(collapseWhitespace(document.text));
}

export function toMetrics(context: AnalysisContext): Metrics {
  const { content, document, links, title, metaDescription } = context;
  const words = content.countWords();
  return {
    words,
    characters: countCharacters(context),
    sentences: content.sentences.length,
    paragraphs: document.blocks.filter((block) => block.kind === 'paragraph').length,
    headings: headingLevels
      .map((level) => ({
        level,
        count: document.headings.filter((heading) => heading.level === level).length,
      }))
      .filter(({ count }) => count > 0),
    internalLinks: links.filter((link) => link.kind === 'internal').length,
    outboundLinks: links.filter((link) => link.kind === 'outbound').length,
    images: context.images.length,
    readingTimeSeconds: Math.ceil((words * 60) / wordsPerMinute),
    titlePixels: title ? measureTitle(title.indexed.text) : null,
    metaDescriptionLength: countCodePoints(metaDescription?.indexed.text.trim() ?? ''),
  };
}

export function toOutline({ document }: AnalysisContext): OutlineEntry[] {
  return document.headings.map(({ level, text, htmlStart }) => ({ level, text, start: htmlStart }));
}
