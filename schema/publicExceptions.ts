/**
 * The only (method, path) pairs of interface A that answer without identity, each with what justifies it. A route whose field is `@public`
 * but which is not listed here stops the build, and so does the reverse.
 */
export const publicExceptions = [
  {
    method: 'POST',
    path: '/api/v1/auth/register',
    reason: 'There is no account yet; the address is confirmed by mail.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/token',
    reason: 'The credential in the body is the proof.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/revoke',
    reason: 'Whoever holds the token may revoke it (RFC 7009).',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/password-resets',
    reason: 'Whoever has lost the password cannot sign in; every address gets the same answer.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/password-resets/confirm',
    reason: 'The single-use token of the mail is the proof, for 30 minutes.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/email-verifications',
    reason: 'An unconfirmed address may be unable to sign in; every address gets the same answer.',
  },
  {
    method: 'POST',
    path: '/api/v1/auth/email-verifications/confirm',
    reason: 'The single-use token of the mail is the proof, for 24 hours.',
  },
  {
    method: 'GET',
    path: '/api/v1/auth/providers',
    reason: 'Says how to sign in, to those who have not.',
  },
  {
    method: 'GET',
    path: '/api/v1/auth/jwks',
    reason: 'Public halves of the signing keys (RFC 7517).',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/listings',
    reason: 'Published listings are for everybody.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/listings/{listingId}',
    reason: 'A published listing in its public projection.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/facets',
    reason: 'Counts of published listings.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/categories',
    reason: 'The category tree and what its listings state.',
  },
  {
    method: 'GET',
    path: '/api/v1/catalog/dealers/{dealerId}',
    reason: 'The public page of an active dealer.',
  },
  {
    method: 'PUT',
    path: '/api/v1/uploads/{uploadToken}',
    reason: 'The signed link is the proof; it is bound to one file, its size, type and an end.',
  },
  {
    method: 'GET',
    path: '/api/v1/files/{fileToken}',
    reason: 'Public renditions by the hash of their bytes, private files by a signed link with an end.',
  },
  {
    method: 'POST',
    path: '/api/v1/webhooks/payments/{provider}',
    reason: 'The signature of the payment provider over the body is the proof.',
  },
  {
    method: 'POST',
    path: '/api/v1/notices',
    reason: 'The law lets people without an account report (DSA, article 16); confirmed by mail.',
  },
  {
    method: 'GET',
    path: '/api/v1/openapi.json',
    reason: 'The contract of this API.',
  },
  {
    method: 'GET',
    path: '/api/v1/health',
    reason: 'Load balancers ask whether the process lives; the answer has no detail.',
  },
  {
    method: 'GET',
    path: '/.well-known/jwks.json',
    reason: 'Public halves of the signing keys, where issuers keep them.',
  },
  {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    reason: 'Metadata of the authorization server (RFC 8414).',
  },
] as const;

/** Whatever else is public, by method and path or by root field, each with what justifies it. */
export const publicElsewhere: Readonly<Record<string, string>> = {
  'GET {rest_root}/seo-tools/v1': 'The index of the interface: its version and its paths.',
  'Query.languages':
    'Readers choose among the languages that are live; `scope: ALL` needs translations:read.',
  'Query.language': 'Readers choose among the languages that are live.',
  'Query.defaultLanguage': 'Readers without a wish get this language.',
  'Query.negotiateLanguage': 'It chooses for readers among the languages that are live.',
  'Query.page': 'Published pages are for everybody.',
  'Query.pages': 'Published pages are for everybody.',
  'Query.sandboxOrder':
    'The page of the sandbox, which stands for a payment provider; the secret of the order is the proof.',
  'Mutation.answerSandbox':
    'The page of the sandbox, which stands for a payment provider; the secret of the order is the proof.',
  'Mutation.receivePaymentEvent': 'The signature of the payment provider over the body is the proof.',
};
