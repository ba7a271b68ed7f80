import { missingProperties } from '../checks/technical/schemaRules.ts';
import type { JsonValue, Profile } from '../contract.ts';
import type { Draft, Source, Suggester } from './Draft.ts';
import { capitalise } from './fitText.ts';
import { productNode, withoutEmpty } from './product/productNode.ts';

type Node = Record<string, JsonValue>;

/** Matches a question mark in the scripts that have one; Greek uses its own semicolon. */
const question = /[?？؟\u037e]\s*$/u;

/** Matches a language in a path, as in `/de/` or `/pt-br/`. */
const languageStep = /^[a-z]{2}(?:-[a-z]{2,4})?$/i;

/** Suggests structured data for the facts of the page. Missing properties are listed, never invented. */
export const suggestSchema: Suggester = (source) => {
  const { profile } = source.context;
  const main = withoutEmpty(mainNode(source, profile));
  const nodes = [main, breadcrumbs(source), ...(profile === 'page' ? [] : faq(source))].filter(
    (node) => node !== null,
  );
  const missing = missingProperties(
    { types: [String(main['@type'])], properties: new Set(Object.keys(main)) },
    profile,
  );
  const jsonLd: Node = { '@context': 'https://schema.org', '@graph': nodes };
  const draft: Draft = {
    value: { jsonLd, missing },
    reason:
      missing.required.length + missing.recommended.length === 0
        ? 'It says what the page is, with everything that search engines ask for.'
        : 'It says what the page is, as far as that is known here; what is missing is listed.',
    basis: ['schema.present', 'schema.valid'],
    // Missing properties are listed; the others are correct.
    decisive: ['schema.present'],
    confidence: missing.required.length > 0 ? 0.4 : missing.recommended.length > 0 ? 0.7 : 0.9,
    patch: { members: { schema: jsonLd } },
  };
  const isNamed = typeof main.name === 'string' || typeof main.headline === 'string';
  return isNamed ? [draft] : [];
};

function mainNode(source: Source, profile: Profile): Node {
  const { input, context } = source;
  const title = input.title?.trim() || input.seoTitle?.trim() || '';
  const common: Node = {
    description: input.metaDescription?.trim() ?? '',
    url: input.permalink?.trim() ?? '',
    image: context.images
      .map(({ src }) => URL.parse(src, input.permalink ?? undefined)?.href ?? '')
      .filter((url) => /^https?:/.test(url))
      .slice(0, 10),
  };
  if (profile === 'article')
    return { '@type': 'Article', headline: title, ...common, inLanguage: context.languageTag };
  if (profile === 'collection') return { '@type': 'CollectionPage', name: title, ...common };
  if (profile === 'page') return { '@type': 'AutoDealer', name: title, ...common };
  return { ...productNode(source, title), ...common };
}

/** Returns the breadcrumbs of the page, from its URL; null for a top-level page. */
function breadcrumbs({ input }: Source): Node | null {
  const url = input.permalink ? URL.parse(input.permalink) : null;
  const steps = url && /^https?:$/.test(url.protocol) ? url.pathname.split('/').filter(Boolean) : [];
  // A language at the start of the path is not a level of the site.
  const levels = languageStep.test(steps[0] ?? '') ? steps.slice(1) : steps;
  if (!url || levels.length < 2) return null;
  const named = levels.map(
    (step, index) => (index === levels.length - 1 ? input.title?.trim() : '') || readable(step),
  );
  return {
    '@type': 'BreadcrumbList',
    itemListElement: named.map(
      (name, index): Node => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: `${url.origin}/${steps.slice(0, index + 1 + steps.length - named.length).join('/')}`,
      }),
    ),
  };
}

function readable(step: string): string {
  let text = step;
  try {
    text = decodeURIComponent(step);
  } catch {
    // An invalid escape is shown unchanged.
  }
  return capitalise(text.replace(/[-_]+/g, ' '));
}

/** Returns questions in headings with the text below them; empty for a single one. */
function faq({ context }: Source): Node[] {
  const { headings, text } = context.document;
  const entries = headings.flatMap((heading, index): Node[] => {
    const answer = text
      .slice(heading.textEnd, headings[index + 1]?.textStart ?? text.length)
      .replace(/\s+/gu, ' ')
      .trim();
    if (!question.test(heading.text) || answer === '') return [];
    const cut = answer.length > 1000 ? `${answer.slice(0, answer.lastIndexOf(' ', 1000))}…` : answer;
    return [{ '@type': 'Question', name: heading.text, acceptedAnswer: { '@type': 'Answer', text: cut } }];
  });
  return entries.length < 2 ? [] : [{ '@type': 'FAQPage', mainEntity: entries.slice(0, 50) }];
}
