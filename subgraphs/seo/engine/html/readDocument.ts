import { Tokenizer } from 'htmlparser2';
import { HtmlReader } from './HtmlReader.ts';
import type { PositionMap } from './PositionMap.ts';
import type { ImageSource, StructuredDataSource } from './sources.ts';
import type { Block } from './TextBuilder.ts';

/** Offsets named `text…` count in `HtmlDocument.text`, `html…` in the submitted HTML. */
export interface Heading {
  level: number;
  /** Collapsed text; the alternative text of its images if it has no text. */
  text: string;
  textStart: number;
  textEnd: number;
  htmlStart: number;
  htmlEnd: number;
}

export interface Link {
  href: string | null;
  /** Lower-case tokens of `rel`. */
  rel: ReadonlySet<string>;
  isTarget: boolean;
  /** Text of the link for readers and screen readers. */
  text: string;
  htmlStart: number;
  htmlEnd: number;
}

export interface HtmlDocument {
  html: string;
  /** Plain text: one space for each whitespace character, U+2028 between lines, U+2029 between blocks. */
  text: string;
  blocks: readonly Block[];
  headings: readonly Heading[];
  links: readonly Link[];
  images: readonly ImageSource[];
  structuredData: readonly StructuredDataSource[];
  lists: number;
  positions: PositionMap;
}

export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/**
 * Reads HTML as a browser would show it: text without markup, blocks, headings, links and images, each with its
 * position in the submitted string. It never fails; invalid markup is read as far as possible. Linear in the input for
 * any nesting.
 */
export function readDocument(html: string): HtmlDocument {
  const reader = new HtmlReader(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, reader);
  tokenizer.write(html);
  tokenizer.end();
  const text = reader.builder.finish();
  const textOf = (source: { textStart: number; textEnd: number; imageText: string }): string =>
    collapseWhitespace(text.slice(source.textStart, source.textEnd)) || collapseWhitespace(source.imageText);
  return {
    html,
    text,
    blocks: reader.builder.blocks,
    headings: reader.headings.map(({ level, textStart, textEnd, htmlStart, htmlEnd, imageText }) => ({
      level,
      text: textOf({ textStart, textEnd, imageText }),
      textStart,
      textEnd,
      htmlStart,
      htmlEnd,
    })),
    links: reader.links.map((link) => ({
      href: link.href,
      rel: new Set(link.rel.toLowerCase().split(/\s+/).filter(Boolean)),
      isTarget: link.isTarget,
      text: textOf(link),
      htmlStart: link.htmlStart,
      htmlEnd: link.htmlEnd,
    })),
    images: reader.images,
    structuredData: reader.structuredData,
    lists: reader.lists,
    positions: reader.builder.positions,
  };
}
