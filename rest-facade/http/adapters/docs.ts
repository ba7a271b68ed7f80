import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Exchange } from '../Exchange.ts';
import { Refusal } from '../Refusal.ts';
import { auditScript } from './audit/auditScript.ts';
import { auditStyle } from './audit/auditStyle.ts';
import { htmlDocument } from './htmlDocument.ts';
import { type StoredDocument, sendDocument, toStoredDocument } from './storedDocument.ts';

const cache = 'public, max-age=3600';
const resolve = createRequire(import.meta.url).resolve;

/** Scripts and styles of Swagger UI that are served from here; no other file of the package is reachable. */
const packageAssets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const initializer = `if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
const of = new URLSearchParams(location.search).get('of');
for (const link of document.querySelectorAll('nav a'))
  if (link.pathname + link.search === location.pathname + location.search) link.setAttribute('aria-current', 'page');
window.ui = SwaggerUIBundle({
  url: of === null ? '/api/v1/openapi.json' : '/docs/openapi/' + encodeURIComponent(of),
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: false,
  validatorUrl: null,
});
`;

const pageStyle = `:root { color-scheme: light dark; }
html.dark-mode body { background: inherit; }
body { font-family: system-ui, sans-serif; line-height: 1.5; margin: 0 auto; max-width: 70rem; padding: 1rem; background: Canvas; color: CanvasText; }
table { border-collapse: collapse; }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; }
nav a { color: LinkText; }
nav a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
html.dark-mode nav a { color: #9ecbff; }
td, th { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 0.25rem 0.75rem; text-align: left; vertical-align: top; }
`;

/** Which contract is shown, and the other pages. */
const navigation = `<nav aria-label="Documentation"><a href="/docs">All interfaces</a> <a href="/docs?of=a">A: marketplace</a> <a href="/docs?of=b">B: search optimization</a> <a href="/docs?of=c">C: translation</a> <a href="/graphiql">GraphQL explorer</a> <a href="/audit">Audit of guards</a> <a href="/problems">Problems</a></nav>
`;

/** Scripts and styles of our own, by name. */
const ownAssets: Readonly<Record<string, string>> = {
  'initializer.js': initializer,
  'page.css': pageStyle,
  'audit.js': auditScript,
  'audit.css': auditStyle,
};

const loaded = new Map<string, StoredDocument>();

/** `/docs`: the contract in Swagger UI, from files of this server alone. */
export function docsPage(exchange: Exchange): void {
  const { mediaType, text, headers } = htmlDocument(
    'API documentation',
    `${navigation}<main id="docs"></main>\n<script src="/docs/swagger-ui-bundle.js"></script>\n<script src="/docs/initializer.js"></script>`,
    {
      head: '<link rel="stylesheet" href="/docs/swagger-ui.css">\n<link rel="icon" href="/docs/favicon-32x32.png">\n',
    },
  );
  sendDocument(exchange, toStoredDocument(mediaType, text, cache, headers));
}

/** `/docs/{asset}`; files are read when first asked for and kept. */
export function docsAsset(exchange: Exchange, name: string): void {
  let document = loaded.get(name);
  if (!document) {
    document = loadAsset(name);
    loaded.set(name, document);
  }
  sendDocument(exchange, document);
}

function loadAsset(name: string): StoredDocument {
  const headers = { 'X-Content-Type-Options': 'nosniff' };
  const text = Object.hasOwn(ownAssets, name) ? ownAssets[name] : undefined;
  if (text !== undefined) {
    const mediaType = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return toStoredDocument(`${mediaType}; charset=utf-8`, text, cache, headers);
  }
  const mediaType = Object.hasOwn(packageAssets, name) ? packageAssets[name] : undefined;
  if (mediaType === undefined) throw new Refusal('not_found', 'The documentation has no such file.');
  return toStoredDocument(mediaType, readFileSync(resolve(`swagger-ui-dist/${name}`)), cache, headers);
}
