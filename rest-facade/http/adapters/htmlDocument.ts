import { escapeHtml } from '../../../site/escapeHtml.ts';
import type { Headers } from '../Exchange.ts';

/** A page may load from its own origin and nothing else; Swagger UI draws its icons from data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Media type of every page. */
export const htmlType = 'text/html; charset=utf-8';

/** What holds a page to itself: no script, style or request of elsewhere, and none that stands in it. */
export const pageHeaders: Readonly<Headers> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** What may differ from page to page. */
interface PageOptions {
  language?: string;
  /** Path of the style sheet. */
  style: string;
  /** Further elements of the head, each line with its end. */
  head?: string;
  /** Attributes of the body. */
  body?: string;
}

/** An HTML page without inline script or style, and the headers that hold it to that. */
export function htmlDocument(
  title: string,
  content: string,
  { language = 'en', style, head = '', body = '' }: PageOptions,
): { mediaType: string; text: string; headers: Headers } {
  const text = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${style}">
${head}</head>
<body${body === '' ? '' : ` ${body}`}>
${content}
</body>
</html>
`;
  return { mediaType: htmlType, text, headers: { ...pageHeaders } };
}
