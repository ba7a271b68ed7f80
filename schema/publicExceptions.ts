/**
 * The only (method, path) pairs of interface A that respond without identity, each with its justification. A route
 * whose field is `@guard__public` but which is not listed here stops the build, and so does the reverse.
 */
export const publicExceptions = [
  {
    method: 'POST',
    path: '/api/v1/auth/register',
    reason: 'The caller has no account yet; the email address is confirmed by email.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/token',
    reason: 'The credential in the body is the proof.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/revoke',
    reason: 'The token itself is the proof (RFC 7009).',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/password-resets',
    reason: 'A user without a password cannot sign in; every address gets the same response.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/password-resets/confirm',
    reason: 'The single-use token from the email is the proof; it expires after 30 minutes.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/email-verifications',
    reason:
      'A user with an unconfirmed address may be unable to sign in; every address gets the same response.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/email-verifications/confirm',
    reason: 'The single-use token from the email is the proof; it expires after 24 hours.',
  },
  {
    method: 'GET',
    path: '/api/v1/auth/providers',
    reason: 'Describes how to sign in.',
  },
  {
    method: 'GET',
    path: '/api/v1/auth/jwks',
    reason: 'Public signing keys (RFC 7517).',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/listings',
    reason: 'Published listings are public.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/listings/{listingId}',
    reason: 'The public projection of a published listing.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/facets',
    reason: 'Counts of published listings.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/categories',
    reason: 'The category tree and its attributes are public.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/dealers/{dealerId}',
    reason: 'The public page of an active dealer.',
  },
  {
    method: 'PUT',
    path: '/api/v1/uploads/{uploadToken}',
    reason: 'The signed link is the proof; it is bound to one file, its size, its type and an expiry time.',
  },
  {
    method: 'GET',
    path: '/api/v1/files/{fileToken}',
    reason:
      'Public renditions are identified by their content hash, private files by a signed link that expires.',
  },
  {
    method: 'POST',
    path: '/api/v1/webhooks/payments/{provider}',
    reason: 'The payment provider’s signature of the body is the proof.',
  },
  {
    method: 'POST',
    path: '/api/v1/notices',
    reason: 'The law requires reports without an account (DSA, article 16); they are confirmed by email.',
  },
  {
    method: 'GET',
    path: '/api/v1/openapi.json',
    reason: 'The contract of this API.',
  },
  {
    method: 'GET',
    path: '/api/v1/health',
    reason: 'Liveness check for load balancers; the response has no details.',
  },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    reason: 'Public signing keys at their well-known path.',
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    reason: 'Metadata of the authorization server (RFC 8414).',
  },
] as const;

/** Other public methods and root fields, each with its justification. */
export const publicElsewhere: Readonly<Record<string, string>> = {
  'GET {rest_root}/seo-tools/v1': 'Index of the interface: its version and its paths.',
  'Query.languages': 'Readers choose among the active languages; `scope: ALL` needs translations:read.',
  'Query.language': 'Readers choose among the active languages.',
  'Query.defaultLanguage': 'The language of readers without a preference.',
  'Query.negotiateLanguage': 'It negotiates the language of a reader among the active languages.',
  'Query.node': 'The guard of the record’s type decides; some types are public.',
  'Query.nodes': 'The guard of each record’s type decides; some types are public.',
  'Query.page': 'Published pages are public.',
  'Query.pages': 'Published pages are public.',
  'Query.sandboxOrder': 'Page of the payment sandbox; the secret of the order is the proof.',
  'Mutation.answerSandbox': 'Page of the payment sandbox; the secret of the order is the proof.',
  'Mutation.receivePaymentEvent': 'The payment provider’s signature of the body is the proof.',
};
