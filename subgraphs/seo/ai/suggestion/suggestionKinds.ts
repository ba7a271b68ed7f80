import type { AnalysisInput } from '../../engine/contract.ts';
import type { SeoAiSuggestionKind } from '../../seo.generated.ts';

/** A suggestion: a text, or texts by member. */
export type AiValue = string | Readonly<Record<string, string | number>>;

/** One kind: the prompt, the allowed answer, and its validation. */
export interface SuggestionKind {
  /** Text in the prompt after the name and the number. */
  readonly instruction: string;
  /** JSON schema of one suggestion. */
  readonly schema: object;
  /** Texts of a suggestion with their maximum lengths; empty for a suggestion that is a text itself. */
  readonly texts: Readonly<Record<string, number>>;
  /** Returns the page with the suggestion, reduced to what the checks need. */
  patch(value: AiValue, page: AnalysisInput): AnalysisInput;
  readonly checks: readonly string[];
  /** Check whose worst verdict makes a suggestion useless. */
  readonly mustNotFail?: string;
}

const text = { type: 'string' };
const members = (properties: Readonly<Record<string, object>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Returns language and keyphrase of a page, without its texts. */
function frame({ locale, profile, keyphrase, synonyms }: AnalysisInput): AnalysisInput {
  return { locale, profile, keyphrase, synonyms };
}

function memberOf(value: AiValue, name: string): string {
  return typeof value === 'string' ? value : String(value[name] ?? '');
}

function escapeHtml(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** All kinds by name. */
export const suggestionKinds: Readonly<Record<SeoAiSuggestionKind, SuggestionKind>> = {
  seo_title: {
    instruction:
      'titles for search results, 30 to 60 characters each, beginning with the keyphrase if there is one',
    schema: text,
    texts: { '': 300 },
    patch: (value, page) => ({ ...frame(page), seoTitle: memberOf(value, '') }),
    checks: ['title.width', 'keyphrase.in_seo_title'],
    mustNotFail: 'title.width',
  },
  meta_description: {
    instruction:
      'descriptions for search results, 121 to 156 characters each, with the keyphrase if there is one',
    schema: text,
    texts: { '': 320 },
    patch: (value, page) => ({ ...frame(page), metaDescription: memberOf(value, '') }),
    checks: ['meta.length', 'keyphrase.in_meta_description'],
  },
  keyphrase: {
    instruction: 'phrases of 1 to 4 words that a user would search for to find this page',
    schema: text,
    texts: { '': 191 },
    patch: (value, page) => ({ ...page, keyphrase: memberOf(value, '') }),
    checks: ['keyphrase.length', 'keyphrase.in_seo_title', 'keyphrase.in_introduction', 'keyphrase.density'],
  },
  headings: {
    instruction:
      'headings that could structure the text, each {level: 2 or 3, text} of at most 70 characters',
    schema: members({ level: { type: 'integer' }, text }),
    texts: { text: 120 },
    patch: (value, page) => ({ ...frame(page), content: `<h2>${escapeHtml(memberOf(value, 'text'))}</h2>` }),
    checks: ['headings.quality', 'keyphrase.in_subheadings'],
  },
  faq: {
    instruction:
      'questions that the text answers, each {question, answer} with an answer of one to three sentences',
    schema: members({ question: text, answer: text }),
    texts: { question: 200, answer: 1000 },
    patch: (value, page) => ({
      ...frame(page),
      content: `<h3>${escapeHtml(memberOf(value, 'question'))}</h3><p>${escapeHtml(memberOf(value, 'answer'))}</p>`,
    }),
    checks: ['headings.quality', 'sentences.length'],
  },
  image_alt: {
    instruction: 'alternative texts of images, each {image: its number, alt} of at most 125 characters',
    schema: members({ image: { type: 'integer' }, alt: text }),
    texts: { alt: 250 },
    patch: (value, page) => ({
      ...frame(page),
      content: '',
      images: [{ src: memberOf(value, 'src'), alt: memberOf(value, 'alt') }],
    }),
    checks: ['images.alt', 'keyphrase.in_image_alt'],
  },
  social: {
    instruction: 'previews for social networks, each {title, description} of at most 60 and 155 characters',
    schema: members({ title: text, description: text }),
    texts: { title: 120, description: 320 },
    patch: (value, page) => ({
      ...frame(page),
      social: {
        ...(page.social as object | null),
        ogTitle: memberOf(value, 'title'),
        ogDescription: memberOf(value, 'description'),
      },
    }),
    checks: ['social.og'],
  },
};
