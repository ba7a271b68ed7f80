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

/** An HTML page without inline script or style, and the headers that hold it to that. */
export function htmlDocument(
  title: string,
  body: string,
  head = '',
): { mediaType: string; text: string; headers: Headers } {
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/docs/page.css">
${head}</head>
<body>
${body}
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
