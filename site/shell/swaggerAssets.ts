/**
 * Starts Swagger UI on the contract that the address names, in the colours of the page. Pages without a server bring the
 * contract as a script, because a file cannot fetch another one; without a product behind them nothing can be sent.
 */
export const swaggerStart = `'use strict';
const { root, alone } = document.documentElement.dataset;
const of = new URLSearchParams(location.search).get('of');
for (const link of document.querySelectorAll('.contracts a'))
  if (link.pathname + link.search === location.pathname + location.search) link.setAttribute('aria-current', 'page');
function start(contract) {
  window.ui = SwaggerUIBundle({
    ...contract,
    dom_id: '#swagger',
    deepLinking: true,
    tryItOutEnabled: false,
    validatorUrl: null,
    ...(alone === undefined ? {} : { supportedSubmitMethods: [] }),
  });
}
if (root === undefined) {
  start({ url: '/' + (of === null ? 'api/v1/openapi.json' : 'docs/openapi/' + encodeURIComponent(of)) });
} else {
  const script = document.createElement('script');
  script.src = root + 'docs/contract-' + (/^[abc]$/.test(of) ? of : 'all') + '.js';
  script.addEventListener('load', () => start({ spec: globalThis.siteContract }));
  script.addEventListener('error', () => {
    document.getElementById('swagger').textContent = 'The contract is not beside this page.';
  });
  document.head.append(script);
}
// What Swagger UI leaves out: names of its lists, and that no button may hold a link.
new MutationObserver(() => {
  for (const list of document.querySelectorAll('#swagger select:not([aria-label])'))
    list.setAttribute('aria-label', list.id === 'servers' ? 'Server' : 'Choice');
  for (const link of document.querySelectorAll('#swagger button a[href]')) link.removeAttribute('href');
}).observe(document.getElementById('swagger'), { childList: true, subtree: true });
`;

/** What of Swagger UI’s own colours would not fit the page. */
export const swaggerTheme = `html.dark-mode body { background: var(--ground); }
.swagger-ui .wrapper { padding: 0; max-width: none; }
.swagger-ui pre.version { background: none; border: 0; padding: 0; margin: 0; overflow: visible; }
html:not(.dark-mode) .swagger-ui .version-stamp, html:not(.dark-mode) .swagger-ui .info .title small { background: #505a63; }
html:not(.dark-mode) .swagger-ui .info :is(.url, a) { color: var(--link); }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #146c43; border-color: #146c43; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #146c43; }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12-expand-deep-button { color: var(--quiet); }
html:not(.dark-mode) .swagger-ui .opblock .opblock-summary-method { color: #14171a; text-shadow: none; }
`;
