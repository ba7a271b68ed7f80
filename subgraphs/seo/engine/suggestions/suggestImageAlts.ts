import type { AnalysisInput } from '../contract.ts';
import type { ContentEdit, Draft, Source, Suggester } from './Draft.ts';
import { productFactsOf } from './product/productFacts.ts';
import { toHtmlText } from './toHtmlText.ts';

const existing = /\salt(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]*))?/i;
const longestAlt = 125;
/** Maximum number of examined images without a text. */
const mostImages = 100;

/** Suggests texts for images without one: the caption, the heading above, or the product, but never the file name. */
export const suggestImageAlts: Suggester = (source) => {
  const { name } = productFactsOf(source);
  const product = name || (source.input.profile === 'product' ? (source.input.title?.trim() ?? '') : '');
  return [...inBody(source, product), ...inGallery(source, product)];
};

function inBody(source: Source, product: string): Draft[] {
  const { input, context } = source;
  const html = input.content ?? '';
  const captions = captionsOf(source);
  const numbered = context.document.images.map((image, index) => ({ image, view: index + 1 }));
  const unnamed = numbered.filter(({ image }) => !image.alt?.trim() && !image.decorative);
  return unnamed.slice(0, mostImages).flatMap(({ image, view }): Draft[] => {
    const caption = captions.find(
      ({ start }) => start >= image.htmlEnd && isBeside(html.slice(image.htmlEnd, start)),
    );
    const heading = context.document.headings.findLast(({ htmlStart }) => htmlStart < image.htmlStart);
    const text = textOf(source, { caption: caption?.text, heading: heading?.text, product, view });
    const edits = withAlt(html, image.htmlStart, image.htmlEnd, text.value);
    if (text.value === '' || !edits) return [];
    return [
      {
        value: { src: image.src, alt: text.value, start: image.htmlStart, end: image.htmlEnd },
        reason: text.reason,
        basis: ['images.alt', 'keyphrase.in_image_alt'],
        confidence: text.confidence,
        patch: { edits },
      },
    ];
  });
}

function inGallery(source: Source, product: string): Draft[] {
  const images = source.input.images ?? [];
  return images.flatMap(({ src, alt }, index): Draft[] => {
    if (alt?.trim()) return [];
    const text = textOf(source, { product, view: index + 1 });
    if (text.value === '') return [];
    const changed: AnalysisInput['images'] = images.map((image, at) =>
      at === index ? { ...image, alt: text.value } : image,
    );
    return [
      {
        value: { src, alt: text.value, index },
        reason: text.reason,
        basis: ['images.alt', 'keyphrase.in_image_alt'],
        confidence: text.confidence,
        patch: { members: { images: changed } },
      },
    ];
  });
}

interface Surroundings {
  readonly caption?: string | undefined;
  readonly heading?: string | undefined;
  /** Name of the product; empty if the page has none. */
  readonly product: string;
  /** Position among the images, from 1. */
  readonly view: number;
}

function textOf(
  { input }: Source,
  { caption, heading, product, view }: Surroundings,
): { value: string; reason: string; confidence: number } {
  if (caption) return { value: cut(caption), reason: 'It is the caption of the image.', confidence: 0.9 };
  if (product)
    return {
      value: cut(`${product}, ${view}`),
      reason: 'It names the product and the view.',
      confidence: 0.6,
    };
  const text = heading ?? input.title?.trim() ?? '';
  return { value: cut(text), reason: 'It is the heading above the image.', confidence: 0.5 };
}

function cut(text: string): string {
  const characters = [...text.replace(/\s+/gu, ' ').trim()];
  if (characters.length <= longestAlt) return characters.join('');
  const part = characters.slice(0, longestAlt).join('');
  return part.slice(0, Math.max(part.lastIndexOf(' '), 0)) || part;
}

/** Returns captions with their positions in the HTML. */
function captionsOf({ context }: Source): { text: string; start: number }[] {
  const { blocks, positions, text } = context.document;
  return blocks
    .filter(({ kind }) => kind === 'caption')
    .map(({ start, end }) => ({
      text: text.slice(start, end),
      start: positions.toHtmlRange(start, end).start,
    }));
}

/** Returns whether only tags and space separate an image and a text. */
function isBeside(between: string): boolean {
  return between.length < 400 && /^(?:\s|<[^<>]*>)*$/.test(between);
}

/** Returns the tag with this text; null if it is not an image tag. */
function withAlt(html: string, start: number, end: number, alt: string): ContentEdit[] | null {
  const tag = html.slice(start, end);
  if (!/^<(?:img|amp-img)\b/i.test(tag)) return null;
  const name = tag.search(/[\s/>]/);
  const without = tag.slice(name).replace(existing, '');
  return [{ start, end, text: `${tag.slice(0, name)} alt="${toHtmlText(alt)}"${without}` }];
}
