import { isFunctionWord, parsePhrase } from '../keyphrase/parsePhrase.ts';
import { stem } from '../language/stemming/stem.ts';
import { toPageAddress } from '../links/classifyLinks.ts';
import type { Draft, LinkTarget, Source, Suggester } from './Draft.ts';
import { toHtmlText } from './toHtmlText.ts';

/** Maximum number of examined occurrences of a target's words, and of links for the checks to choose from. */
const mostPlaces = 20;
const mostDrafts = 30;

interface Anchor {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Links from words of the text to published objects that are found by these words. */
export const suggestInternalLinks: Suggester = (source) => {
  const { input, context, neighbours } = source;
  const base = input.permalink ?? undefined;
  const taken = new Set(
    [input.permalink, ...context.links.map(({ href }) => href)].flatMap((address) =>
      address ? [keyOf(address, base)] : [],
    ),
  );
  const used: Anchor[] = [];
  return neighbours.targets
    .map((target) => ({ target, stems: stemsOf(source, target) }))
    .filter(({ target, stems }) => stems.length > 0 && !taken.has(keyOf(target.url, base)))
    .sort((a, b) => b.stems.length - a.stems.length || (a.target.id < b.target.id ? -1 : 1))
    .flatMap(({ target, stems }): Draft[] => {
      const anchor = used.length < mostDrafts ? findAnchor(source, stems, used) : null;
      if (!anchor) return [];
      used.push(anchor);
      return [toDraft(target, anchor, stems.length)];
    });
};

function toDraft({ type, id, url, title }: LinkTarget, { start, end, text }: Anchor, words: number): Draft {
  return {
    value: { type, id, url, title, anchor: text, start, end },
    reason: 'These words of the text are the keyphrase of the linked page.',
    basis: ['links.internal', 'links.anchor_text', 'links.crawlable', 'keyphrase.competing_links'],
    confidence: Math.min(0.9, 0.4 + 0.15 * words),
    patch: { edits: [{ start, end, text: `<a href="${toHtmlText(url)}">${text}</a>` }] },
  };
}

/** Returns the normalized address. */
function keyOf(address: string, base: string | undefined): string {
  const page = toPageAddress(address, base);
  return page ? `${page.host}${page.path}` : address;
}

function stemsOf({ context }: Source, { phrase }: LinkTarget): readonly string[] {
  const parsed = parsePhrase(phrase, context.language, context.languageTag);
  return parsed && !parsed.onlyFunctionWords ? parsed.stems : [];
}

/** Returns the first place outside headings and links where these words are consecutive without a tag in between. */
function findAnchor(
  { input, context }: Source,
  stems: readonly string[],
  used: readonly Anchor[],
): Anchor | null {
  const { content, document, language, links } = context;
  const html = input.content ?? '';
  const [rarest = ''] = [...stems].sort(
    (a, b) => content.wordsWithStem(a).length - content.wordsWithStem(b).length || (a < b ? -1 : 1),
  );
  const wanted = new Set(stems);
  for (const word of content.wordsWithStem(rarest).slice(0, mostPlaces)) {
    const sentence = content.sentences[content.sentenceOf(word)];
    if (!sentence || document.blocks[sentence.block]?.kind === 'heading') continue;
    const range = spread(word, sentence, (index) => {
      const form = content.words[index]?.form ?? '';
      const value = stem(form, language.code);
      return wanted.has(value) ? value : isFunctionWord(form, language) ? '' : null;
    });
    if (!range || range.found !== wanted.size) continue;
    const first = content.words[range.first];
    const last = content.words[range.last];
    if (!first || !last) continue;
    const { start, end } = document.positions.toHtmlRange(first.start, last.end);
    const text = html.slice(start, end);
    const overlaps = (other: { start: number; end: number }): boolean =>
      start < other.end && end > other.start;
    const isFree =
      !/[<>]/.test(text) &&
      !used.some(overlaps) &&
      !links.some(({ htmlStart, htmlEnd }) => overlaps({ start: htmlStart, end: htmlEnd }));
    if (isFree) return { start, end, text };
  }
  return null;
}

/**
 * Returns the run of words around one that are wanted, or function words between wanted ones.
 *
 * @param read returns the stem of a wanted word, an empty text for a function word, null for any other
 */
function spread(
  word: number,
  { firstWord, endWord }: { firstWord: number; endWord: number },
  read: (index: number) => string | null,
): { first: number; last: number; found: number } | null {
  const found = new Set<string>();
  const reach = (step: 1 | -1): number => {
    let edge = word;
    for (let index = word; index >= firstWord && index < endWord; index += step) {
      const value = read(index);
      if (value === null) break;
      if (value === '') continue;
      found.add(value);
      edge = index;
    }
    return edge;
  };
  const first = reach(-1);
  const last = reach(1);
  return { first, last, found: found.size };
}
