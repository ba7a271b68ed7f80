import type { JsonValue } from '../../subgraphs/seo/engine/contract.ts';
import { measureTitle } from '../../subgraphs/seo/engine/text/measureTitle.ts';
import type { GoldenCase, PageKind } from './golden/GoldenCase.ts';
import { rawValuesOf } from './rawValues.ts';

/** Kinds of suggestions that the golden set judges. */
export const judgedKinds = ['keyphrase', 'seo_title', 'meta_description', 'slug', 'schema'] as const;
export type JudgedKind = (typeof judgedKinds)[number];

/** Words that end no title, description or slug, because a noun must follow them. */
const connecting: Readonly<Record<string, string>> = {
  en: 'a an and as at but by for from in into is of on or over the this to under with without your our its that',
  de: 'am an auf aus bei bis das dem den der des die ein eine einem einen einer eines für im in ist mit nach oder ohne sie und unter von vor wie zu zum zur',
  fr: 'à au aux avec ce cette dans de des du en et la le les ou par pour sa sans ses son sous sur un une l d qu que qui votre nos notre',
  es: 'a al con de del desde el en entre es la las lo los o para por que se sin sobre su sus un una y',
};

/** A value of a kind, its case and the kind of its page. */
interface Judged {
  readonly pageKind: PageKind;
  readonly golden: GoldenCase;
}

/** Returns why an editor would not accept a first suggestion; empty if it is acceptable. */
export function judge(kind: JudgedKind, value: JsonValue, judged: Judged): string[] {
  const { golden } = judged;
  if (kind === 'schema') return judgeSchema(value, judged);
  if (typeof value !== 'string') return ['is no text'];
  if (kind === 'keyphrase') {
    const isAccepted = golden.editor.keyphrases.some((phrase) => fold(phrase) === fold(value));
    return isAccepted ? [] : ['is no keyphrase of the editor'];
  }
  if (kind === 'slug') return judgeSlug(value, golden);
  return [
    ...(kind === 'seo_title' ? judgeTitle(value, golden) : judgeDescription(value, golden)),
    ...rawValuesOf(golden.page)
      .filter((raw) => holdsWord(value, raw))
      .map((raw) => `contains the stored value "${raw}"`),
  ];
}

/** A title is shown in full, contains the editor's essentials, repeats no word, and is not cut. */
function judgeTitle(title: string, { page, site, editor }: GoldenCase): string[] {
  const own = title.endsWith(` | ${site}`) ? title.slice(0, -site.length - 3) : title;
  const words = wordsOf(own).filter((word) => !isConnecting(page.locale, word));
  const repeated = words.filter((word, index) => /\p{L}/u.test(word) && words.indexOf(word) !== index);
  const isOfPage = repeated.every((word) => wordsOf(page.title).filter((other) => other === word).length > 1);
  return [
    ...problem(measureTitle(title) > 580, 'is wider than search results show'),
    ...problem(measureTitle(title) < 200, 'is too short'),
    ...missingFrom(own, editor.titleNames, false),
    ...problem(repeated.length > 0 && !isOfPage, `repeats ${repeated.join(', ')}`),
    ...problem(/!{2}|\p{Lu}{4,} \p{Lu}{4,}/u.test(own), 'shouts'),
    ...judgeEnd(own, page.locale),
  ];
}

/** A description has 90 to 160 characters of whole sentences with the editor's essentials. */
function judgeDescription(text: string, { page, editor }: GoldenCase): string[] {
  const { length } = [...text];
  return [
    ...problem(length > 160, 'is longer than search results show'),
    ...problem(length < 90, 'is too short'),
    ...problem(!/[.!?]$/u.test(text), 'does not end with a sentence'),
    ...missingFrom(fold(text), editor.descriptionNames, true),
    ...judgeEnd(text.replace(/[.!?]+$/u, ''), page.locale),
  ];
}

/** A slug has at most 9 Latin words, all of them words of the editor, with the essentials and no connecting end. */
function judgeSlug(slug: string, { page, editor }: GoldenCase): string[] {
  const words = slug.split('-');
  const { slug: own, title, description, keyphrases } = editor;
  const ofEditor = [own, title, description, ...keyphrases].flatMap((text) => [
    ...slugged(text).split('-'),
    ...slugged(text.replaceAll(/[’']/g, ' ')).split('-'),
  ]);
  const foreign = words.filter((word) => !ofEditor.includes(word));
  return [
    ...problem(foreign.length > 0, `contains ${foreign.join(', ')}`),
    ...problem(!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug), 'is not made of Latin words and hyphens'),
    ...problem(slug.length > 75 || words.length > 9, 'is too long'),
    ...missingFrom(slug, editor.slugWords, true),
    ...problem(isConnecting(page.locale, words.at(-1) ?? ''), 'ends with a connecting word'),
  ];
}

/** Structured data has the type and name of the page, and every fact that the page states. */
function judgeSchema(value: JsonValue, { pageKind, golden }: Judged): string[] {
  const { page, editor } = golden;
  const { product } = page;
  const { jsonLd } = (value ?? {}) as { [key: string]: any };
  const [data = {}] = jsonLd?.['@graph'] ?? [];
  const text = JSON.stringify(jsonLd);
  const raw = rawValuesOf(page).filter((each) => text.includes(`"${each}"`));
  const name = pageKind === 'article' ? data.headline : data.name;
  return [
    ...problem(jsonLd?.['@context'] !== 'https://schema.org', 'has no context'),
    ...problem(!alternatives(editor.schemaType).includes(data['@type']), `has the type ${data['@type']}`),
    ...problem(!alternatives(editor.schemaName).includes(name), `has the name ${name}`),
    ...problem(
      (page.images?.length ?? 0) > 0 && [data.image].flat().length !== page.images?.length,
      'lacks images',
    ),
    ...(product ? judgeOffer(data, product) : problem(Boolean(data.offers), 'offers something')),
    ...raw.map((each) => `contains the stored value "${each}"`),
  ];
}

function judgeOffer(
  { offers, brand }: { [key: string]: any },
  product: NonNullable<GoldenCase['page']['product']>,
): string[] {
  const brandName = typeof brand === 'string' ? brand : brand?.name;
  return [
    ...problem(offers?.['@type'] !== 'Offer', 'has no offer'),
    ...problem(Number(offers?.price) !== product.price, `has the price ${offers?.price}`),
    ...problem(offers?.priceCurrency !== product.currency, 'has another currency'),
    ...problem(
      offers?.availability !== `https://schema.org/${product.availability}`,
      `has the availability ${offers?.availability}`,
    ),
    ...problem(slugged(brandName ?? '') !== slugged(product.brand ?? ''), `has the brand ${brandName}`),
  ];
}

/** A text is cut if it ends with a connecting word, an ellipsis, or punctuation that introduces something. */
function judgeEnd(text: string, locale: string): string[] {
  const last = wordsOf(text).at(-1) ?? '';
  return [
    ...problem(isConnecting(locale, last), `ends with "${last}"`),
    ...problem(/[…,:;([&|/–-]\s*$/u.test(text) || /\.{3}$/u.test(text), 'is cut'),
    ...problem((text.match(/\(/g) ?? []).length !== (text.match(/\)/g) ?? []).length, 'has an open bracket'),
  ];
}

function missingFrom(text: string, names: readonly string[], isFolded: boolean): string[] {
  return names
    .filter((name) => !alternatives(name).some((each) => text.includes(isFolded ? fold(each) : each)))
    .map((name) => `lacks ${name}`);
}

function isConnecting(locale: string, word: string): boolean {
  return (connecting[locale.slice(0, 2)] ?? '').split(' ').includes(fold(word));
}

function holdsWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll('-', '[-]')}(?![\\p{L}\\p{N}])`, 'u').test(text);
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];
}

function alternatives(text: string): string[] {
  return text.split('|');
}

/** Returns the words in Latin letters, as of a slug. */
function slugged(text: string): string {
  const german = text.toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue');
  return (
    german
      .normalize('NFD')
      .replace(/[\p{M}’']/gu, '')
      .match(/[a-z0-9]+/g) ?? []
  ).join('-');
}

/** Returns the text in lower case, with straight apostrophes. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll('’', "'");
}

function problem(isWrong: boolean, text: string): string[] {
  return isWrong ? [text] : [];
}
