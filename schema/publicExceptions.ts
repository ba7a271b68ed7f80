/**
 * The only (method, path) pairs of interface A that answer without identity. A route whose field is `@public`
 * but which is not listed here stops the build, and so does the reverse.
 */
export const publicExceptions = [
  { method: 'POST', path: '/api/v1/auth/register' },
  { method: 'POST', path: '/api/v1/auth/token' },
  { method: 'POST', path: '/api/v1/auth/revoke' },
  { method: 'POST', path: '/api/v1/auth/password-resets' },
  { method: 'POST', path: '/api/v1/auth/password-resets/confirm' },
  { method: 'POST', path: '/api/v1/auth/email-verifications' },
  { method: 'POST', path: '/api/v1/auth/email-verifications/confirm' },
  { method: 'GET', path: '/api/v1/auth/providers' },
  { method: 'GET', path: '/api/v1/auth/jwks' },
  { method: 'GET', path: '/api/v1/catalog/listings' },
  { method: 'GET', path: '/api/v1/catalog/listings/{listingId}' },
  { method: 'GET', path: '/api/v1/catalog/facets' },
  { method: 'GET', path: '/api/v1/catalog/categories' },
  { method: 'GET', path: '/api/v1/catalog/dealers/{dealerId}' },
  { method: 'PUT', path: '/api/v1/uploads/{uploadToken}' },
  { method: 'GET', path: '/api/v1/files/{fileToken}' },
  { method: 'POST', path: '/api/v1/webhooks/payments/{provider}' },
  { method: 'POST', path: '/api/v1/notices' },
  { method: 'GET', path: '/api/v1/openapi.json' },
  { method: 'GET', path: '/api/v1/health' },
  { method: 'GET', path: '/.well-known/jwks.json' },
  { method: 'GET', path: '/.well-known/oauth-authorization-server' },
] as const;
