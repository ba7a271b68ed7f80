import type { Heading } from '../html/readDocument.ts';
import type { ContentEdit, Draft, Source, Suggester } from './Draft.ts';
import { capitalise } from './fitText.ts';
import { findPhrases } from './phrases/findPhrases.ts';
import { toHtmlText } from './toHtmlText.ts';

/** Maximum distance, in UTF-16 units, between a text and the opening tag of its block. */
const longestOpening = 400;
const opening = /<(?:p|ul|ol|table|blockquote|div|section|figure)\b[^<>]*>(?:\s*<[^<>]*>)*\s*$/i;

/** A second main heading becomes an H2, a skipped level the next one, and a long passage gets a subheading. */
export const suggestHeadings: Suggester = (source) => [
  ...levelDrafts(source),
  ...longSections(source).flatMap((section) => newHeading(source, section)),
];

function levelDrafts({ input, context }: Source): Draft[] {
  const html = input.content ?? '';
  let hasMain = false;
  let before = 0;
  return context.document.headings.flatMap((heading): Draft[] => {
    const isSecond = heading.level === 1 && hasMain;
    const isSkip = before > 0 && heading.level > before + 1;
    hasMain ||= heading.level === 1;
    const level = isSecond ? 2 : isSkip ? before + 1 : heading.level;
    before = level;
    if (level === heading.level) return [];
    const edits = renamed(html, heading, level);
    if (!edits) return [];
    return [
      {
        value: { action: 'change_level', text: heading.text, from: heading.level, to: level },
        reason: isSecond
          ? 'A page has one main heading; this is another one.'
          : 'It skips a level of the outline.',
        basis: isSecond ? ['headings.h1', 'headings.order'] : ['headings.order'],
        confidence: 0.95,
        patch: { edits },
      },
    ];
  });
}

/** Returns both tags of a heading with another level; null if the markup does not have both. */
function renamed(html: string, { htmlStart, htmlEnd, level }: Heading, to: number): ContentEdit[] | null {
  const source = html.slice(htmlStart, htmlEnd).toLowerCase();
  const end = source.lastIndexOf(`</h${level}`);
  if (!source.startsWith(`<h${level}`) || end < 0) return null;
  return [
    { start: htmlStart + 2, end: htmlStart + 3, text: String(to) },
    { start: htmlStart + end + 3, end: htmlStart + end + 4, text: String(to) },
  ];
}

interface Section {
  /** Offsets in the plain text. */
  readonly start: number;
  readonly end: number;
  /** Level of the heading above; 1 before the first one. */
  readonly level: number;
}

/** Returns sections between headings that exceed the ruleset's limit. */
function longSections({ context, ruleset }: Source): Section[] {
  const limit = ruleset.thresholds['subheadings.distribution'].words.good;
  const { headings, text } = context.document;
  const bounds = [
    { start: 0, level: 1 },
    ...headings.map(({ textEnd, level }) => ({ start: textEnd, level })),
  ];
  const words = context.content.words;
  let at = 0;
  return bounds.flatMap(({ start, level }, index): Section[] => {
    const end = headings[index]?.textStart ?? text.length;
    while (at < words.length && (words[at]?.start ?? 0) < start) at += 1;
    const first = at;
    while (at < words.length && (words[at]?.end ?? 0) <= end) at += 1;
    return context.content.countWords(first, at) > limit ? [{ start, end, level }] : [];
  });
}

/** Returns a subheading before the block nearest to the middle, with words of the following text. */
function newHeading(source: Source, { start, end, level }: Section): Draft[] {
  const { input, context } = source;
  const html = input.content ?? '';
  const middle = (start + end) / 2;
  const blocks = context.document.blocks
    .filter((block) => block.kind === 'paragraph' && block.start > start && block.end <= end)
    .sort((a, b) => Math.abs(a.start - middle) - Math.abs(b.start - middle) || a.start - b.start);
  for (const block of blocks.slice(0, 3)) {
    const [phrase] = findPhrases(context, block.start, end);
    const at = startOfBlock(html, context.document.positions.toHtmlRange(block.start, block.end).start);
    if (!phrase || at === null) continue;
    const label = capitalise(phrase.text);
    const to = Math.min(6, Math.max(2, level));
    return [
      {
        value: { action: 'insert', text: label, level: to, at },
        reason: 'The passage is long, and the text that follows is about this topic.',
        basis: ['subheadings.distribution', 'headings.order', 'headings.quality'],
        confidence: 0.6,
        patch: { edits: [{ start: at, end: at, text: `<h${to}>${toHtmlText(label)}</h${to}>` }] },
      },
    ];
  }
  return [];
}

/** Returns the start of the element whose text starts here; null if unknown. */
function startOfBlock(html: string, textStart: number): number | null {
  const from = Math.max(0, textStart - longestOpening);
  const before = html.slice(from, textStart);
  const last = Math.max(before.lastIndexOf('<p'), before.lastIndexOf('<P'));
  if (last < 0 || !opening.test(before.slice(last))) return null;
  return from + last;
}
