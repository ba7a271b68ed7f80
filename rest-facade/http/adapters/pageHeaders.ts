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
