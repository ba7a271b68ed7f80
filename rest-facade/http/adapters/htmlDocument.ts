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

/** What may differ from page to page. */
interface PageOptions {
  language?: string;
  /** Path of the style sheet. */
  style?: string;
  /** Further elements of the head, each line with its end. */
  head?: string;
  /** Attributes of the body. */
  body?: string;
}

/** An HTML page without inline script or style, and the headers that hold it to that. */
export function htmlDocument(
  title: string,
  content: string,
  { language = 'en', style = '/docs/page.css', head = '', body = '' }: PageOptions = {},
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
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  return { mediaType: 'text/html; charset=utf-8', text, headers };
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
