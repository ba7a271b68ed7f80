import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import { sanitizeArticle } from '../../../platform/html/sanitizeArticle.ts';
import { checkLine } from '../../kernel/text/checkLine.ts';
import type { PageRecord } from './model.ts';

/** Input for a page; omitted members are `undefined`. */
export interface PageInput {
  kind?: PageRecord['kind'] | undefined;
  slug?: string | undefined;
  title?: string | undefined;
  html?: string | undefined;
  languageTag?: string | undefined;
}

/** Valid members to store, and errors of the others. */
interface Verdict {
  members: Partial<Pick<PageRecord, 'kind' | 'slug' | 'title' | 'html' | 'htmlBytes' | 'languageTag'>>;
  problems: FieldProblem[];
}

const longestTitle = 200;
/** Maximum length of the text, in code points, so that every script has the same limit; as of analyses of the SEO subgraph. */
const longestHtml = 512 * 1024;
export const longestSlug = 120;
const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Validates all members that were sent and sanitizes the text. */
export function checkPage({ kind, slug, title, html, languageTag }: PageInput): Verdict {
  const text = html === undefined ? undefined : readText(html);
  const name = title?.trim();
  return {
    members: {
      ...(kind === undefined ? {} : { kind }),
      ...(slug === undefined ? {} : { slug }),
      ...(name === undefined ? {} : { title: name }),
      ...(text === undefined ? {} : { html: text ?? '', htmlBytes: Buffer.byteLength(text ?? '') }),
      ...(languageTag === undefined ? {} : { languageTag }),
    },
    problems: [
      ...(name === undefined ? [] : checkLine(name, '#/title', { maximum: longestTitle })),
      ...(slug === undefined || isSlug(slug)
        ? []
        : [
            problem(
              '#/slug',
              `A slug must have at most ${longestSlug} characters of a-z, 0-9 and single hyphens.`,
            ),
          ]),
      ...(text === null
        ? [
            problem(
              '#/html',
              'The text must have at most 524,288 characters and at most 500 levels of nested elements.',
            ),
          ]
        : []),
    ],
  };
}

/** Returns whether a text can be the slug of a page. */
export function isSlug(text: string): boolean {
  return text.length <= longestSlug && slugPattern.test(text);
}

/** Returns the sanitized text; null if it is too long before or after, because escaping makes it longer. */
function readText(html: string): string | null {
  if (isTooLong(html)) return null;
  const text = sanitizeArticle(html);
  return text === null || isTooLong(text) ? null : text;
}

/** Returns whether a text has too many code points. One has at most two UTF-16 units, so most texts are not counted. */
function isTooLong(text: string): boolean {
  if (text.length <= longestHtml) return false;
  if (text.length > 2 * longestHtml) return true;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters > longestHtml;
}
