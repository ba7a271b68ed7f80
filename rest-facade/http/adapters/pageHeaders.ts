import type { Headers } from '../Exchange.ts';

/** A page may only load from its own origin; Swagger UI has its icons in data URLs. */
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

/** Content-Security-Policy of a page: no script, style or request of another origin, and no inline ones. */
export const pageHeaders: Readonly<Headers> = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
