import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';

const require = createRequire(import.meta.url);

/**
 * Loads the sanitizer with the first written article. It includes a CSS parser, which should not slow down the start.
 */
function load(): typeof sanitizeHtml {
  return require('sanitize-html') as typeof sanitizeHtml;
}

const blocks = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'hr',
  'br',
  'details',
  'summary',
];
const lists = ['ul', 'ol', 'li', 'dl', 'dt', 'dd'];
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'];
const pictures = ['figure', 'figcaption', 'img'];
const words = [
  'a',
  'abbr',
  'bdi',
  'bdo',
  'cite',
  'code',
  'del',
  'dfn',
  'em',
  'ins',
  'kbd',
  'mark',
  'q',
  'time',
];
const looks = ['b', 'i', 's', 'small', 'span', 'strong', 'sub', 'sup', 'u', 'var', 'wbr'];

/** Deeper elements lose their tags and keep their text, because readers of articles may recurse. */
const deepest = 40;
/** Deeper than any article: a parser's time would grow with the square of the depth. */
const absurd = 500;

const options: sanitizeHtml.IOptions = {
  allowedTags: [...blocks, ...lists, ...tables, ...pictures, ...words, ...looks],
  // No `class`, `style` and `id`: appearance and names for scripts belong to the site.
  allowedAttributes: {
    '*': ['lang', 'dir'],
    a: ['href', 'hreflang', 'title'],
    abbr: ['title'],
    dfn: ['title'],
    blockquote: ['cite'],
    q: ['cite'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start', 'reversed', 'type'],
    li: ['value'],
    td: ['colspan', 'rowspan', 'headers'],
    th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr'],
    time: ['datetime'],
    del: ['datetime', 'cite'],
    ins: ['datetime', 'cite'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  // Browsers block or flag images over plain HTTP on pages with TLS.
  allowedSchemesByTag: { img: ['https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'cite'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  nestingLimit: deepest,
  // The content of these elements is not text.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'template',
    'title',
    'svg',
    'math',
    'iframe',
  ],
};

/** Matches non-printing characters, except line feeds and tabs. */
const unprintable = /[^\P{Cc}\n\t]/gu;

/**
 * Returns sanitized HTML of an article: elements of running text, lists, tables and images, with links to web, mail and
 * telephone. Scripts, styles, frames, forms, event handlers and URLs such as `javascript:` or `data:` are removed. Text
 * of other forbidden elements is kept without its tags. Line ends become line feeds, and lone surrogates U+FFFD.
 *
 * @param html any text; the duration is linear in its length
 * @returns null if it is nested deeper than any article
 */
export function sanitizeArticle(html: string): string | null {
  const text = html.toWellFormed().replace(/\r\n?/g, '\n').replace(unprintable, '');
  let depth = 0;
  try {
    return load()(text, {
      ...options,
      onOpenTag() {
        depth += 1;
        if (depth > absurd) throw new NestedAbsurdly();
      },
      onCloseTag: () => void (depth -= 1),
    });
  } catch (error) {
    if (error instanceof NestedAbsurdly) return null;
    throw error;
  }
}

class NestedAbsurdly extends Error {}

/** Returns whether an article shows nothing, neither text nor an image. */
export function isBlankArticle(html: string): boolean {
  const rest = load()(html, { allowedTags: ['img'], allowedAttributes: { img: ['src'] } });
  return rest.replaceAll(/&nbsp;|[\s\u00a0\u200b]/g, '') === '';
}
