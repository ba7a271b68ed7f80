import type { InterfaceName, Method } from './Route.ts';

/** A path that is served without an operation. */
export interface AdapterRoute {
  readonly method: Method;
  /** Path template, including `{rest_root}`. */
  readonly path: string;
  /** The interface it counts for; null: an operation of the service (documentation, health), listed apart. */
  readonly interface: InterfaceName | null;
  /** Summary for the documentation, in one line. */
  readonly summary: string;
  /** Media type of the answer. */
  readonly mediaType: string;
  readonly tag: string;
  /** Whether it is a file: the response to a single `Range` is 206 or 416, that to an unchanged file 304. */
  readonly ranges?: true;
  /** Whether it receives the bytes of a file. */
  readonly receives?: true;
  /** Whether it is an index, which is also served with a trailing slash. */
  readonly folder?: true;
}

/**
 * All paths that are mounted without a root field. All of them are public; those of interface A must be public
 * exceptions. Audit and OpenAPI read this table, and the facade has a handler for each name.
 */
export const adapterRoutes = {
  health: {
    method: 'GET',
    path: '/api/v1/health',
    interface: 'A',
    summary: 'Liveness for load balancers, without detail',
    mediaType: 'application/json',
    tag: 'service',
  },
  openApi: {
    method: 'GET',
    path: '/api/v1/openapi.json',
    interface: 'A',
    summary: 'This contract',
    mediaType: 'application/json',
    tag: 'service',
  },
  authorizationServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    interface: 'A',
    summary: 'Metadata of the authorization server (RFC 8414)',
    mediaType: 'application/json',
    tag: 'auth',
  },
  seoNamespace: {
    method: 'GET',
    path: '{rest_root}/seo-tools/v1',
    interface: 'B',
    summary: 'Index of the namespace: its version and routes',
    mediaType: 'application/json',
    tag: 'seo',
    folder: true,
  },
  file: {
    method: 'GET',
    path: '/api/v1/files/{fileToken}',
    interface: 'A',
    summary: 'Content of a public rendition by its hash, or of a private file by its signed link',
    mediaType: 'application/octet-stream',
    tag: 'service',
    ranges: true,
  },
  upload: {
    method: 'PUT',
    path: '/api/v1/uploads/{uploadToken}',
    interface: 'A',
    summary: 'Uploads the content of a created file to its upload link',
    mediaType: 'application/json',
    tag: 'media',
    receives: true,
  },
  paymentWebhook: {
    method: 'POST',
    path: '/api/v1/webhooks/payments/{provider}',
    interface: 'A',
    summary: 'Receives an event of a payment provider, verified by the signature of its body',
    mediaType: 'application/json',
    tag: 'payment',
  },
  problemIndex: {
    method: 'GET',
    path: '/problems',
    interface: null,
    summary: 'Every problem type',
    mediaType: 'text/html',
    tag: 'service',
  },
  problemPage: {
    method: 'GET',
    path: '/problems/{code}',
    interface: null,
    summary: 'Explains a problem type (the URL in `type` of a problem)',
    mediaType: 'text/html',
    tag: 'service',
  },
  openApiOf: {
    method: 'GET',
    path: '/docs/openapi/{name}',
    interface: null,
    summary: 'The contract of one interface: `a`, `b` or `c`',
    mediaType: 'application/json',
    tag: 'service',
  },
  docs: {
    method: 'GET',
    path: '/docs',
    interface: null,
    summary: 'Documentation',
    mediaType: 'text/html',
    tag: 'service',
  },
  docsPage: {
    method: 'GET',
    path: '/docs/{page}',
    interface: null,
    summary:
      'A page of the documentation (`rest`: the explorer of this contract), or a file that its pages load',
    mediaType: 'text/html',
    tag: 'service',
  },
  docsRoutes: {
    method: 'GET',
    path: '/docs/routes/{tag}',
    interface: null,
    summary: 'The routes of a tag, each with the GraphQL operation that it runs',
    mediaType: 'text/html',
    tag: 'service',
  },
  audit: {
    method: 'GET',
    path: '/audit',
    interface: null,
    summary: 'Every method and root field with its effective guard',
    mediaType: 'text/html',
    tag: 'service',
  },
  sandboxPage: {
    method: 'GET',
    path: '/sandbox/pay',
    interface: null,
    summary: 'Page of the payment sandbox, which replaces the page of a provider',
    mediaType: 'text/html',
    tag: 'service',
  },
  sandboxAsset: {
    method: 'GET',
    path: '/sandbox/page.js',
    interface: null,
    summary: 'Script of that page',
    mediaType: 'text/javascript',
    tag: 'service',
  },
  accountPage: {
    method: 'GET',
    path: '/account/{page}',
    interface: null,
    summary: 'Target pages of links in emails: `confirm-email`, `reset-password`, `accept-invitation`',
    mediaType: 'text/html',
    tag: 'service',
  },
  accountAsset: {
    method: 'GET',
    path: '/account/assets/{asset}',
    interface: null,
    summary: 'Script and style of these pages',
    mediaType: 'text/javascript',
    tag: 'service',
  },
  storefront: {
    method: 'GET',
    path: '/listings',
    interface: null,
    summary: 'Page of the published listings, with a search',
    mediaType: 'text/html',
    tag: 'service',
  },
  listingPage: {
    method: 'GET',
    path: '/listings/{slug}',
    interface: null,
    summary: 'Page of a published listing (its `url`), with structured data of schema.org',
    mediaType: 'text/html',
    tag: 'service',
  },
  dealerPage: {
    method: 'GET',
    path: '/dealers/{slug}',
    interface: null,
    summary: 'Page of an active dealer (its `url`), with structured data of schema.org',
    mediaType: 'text/html',
    tag: 'service',
  },
  textPage: {
    method: 'GET',
    path: '/pages/{slug}',
    interface: null,
    summary: 'A published page of the installation (its `url`)',
    mediaType: 'text/html',
    tag: 'service',
  },
  postPage: {
    method: 'GET',
    path: '/posts/{slug}',
    interface: null,
    summary: 'A published post of the installation (its `url`)',
    mediaType: 'text/html',
    tag: 'service',
  },
  conversationPage: {
    method: 'GET',
    path: '/conversations/{conversationId}',
    interface: null,
    summary: 'Page of a conversation, to which mails about messages link; it asks for a sign-in',
    mediaType: 'text/html',
    tag: 'service',
  },
  live: {
    method: 'GET',
    path: '/health/live',
    interface: null,
    summary: 'Whether the process runs',
    mediaType: 'application/json',
    tag: 'service',
  },
  ready: {
    method: 'GET',
    path: '/health/ready',
    interface: null,
    summary: 'Whether the service is ready; 503 otherwise',
    mediaType: 'application/json',
    tag: 'service',
  },
} as const satisfies Record<string, AdapterRoute>;

/** Name of an adapter. */
export type AdapterName = keyof typeof adapterRoutes;

/** Versions of the three interfaces, in OpenAPI and the namespace index. */
export const interfaceVersions: Readonly<Record<InterfaceName, string>> = {
  A: '1.0.0-rc.1',
  B: '1.3.1',
  C: '0.16.0',
};
