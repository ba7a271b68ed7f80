import type { Layer } from './compressAnswers.ts';

/**
 * Adds the headers that protect an API in a browser. Pages set their own Content-Security-Policy. Further headers only
 * concern documents, and would be half of a short response.
 */
export function protectBrowsers(issuer: string): Layer {
  const headers = Object.entries({
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'SAMEORIGIN',
    // Responses over plain HTTP, as on a developer's machine, must not force a browser to use HTTPS later.
    ...(issuer.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  });
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
