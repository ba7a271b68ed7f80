'use strict';
const { root, alone } = document.documentElement.dataset;
const of = new URLSearchParams(location.search).get('of');
for (const link of document.querySelectorAll('.contracts a'))
  if (link.pathname + link.search === location.pathname + location.search)
    link.setAttribute('aria-current', 'page');
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
/** Calls routes at the origin of the page, because the page may only connect to its own origin. */
function useOwnOrigin(response) {
  if (response.body?.openapi) response.text = JSON.stringify({ ...response.body, servers: [{ url: '/' }] });
  return response;
}
if (root === undefined) {
  start({
    url: '/' + (of === null ? 'api/v1/openapi.json' : 'docs/openapi/' + encodeURIComponent(of)),
    responseInterceptor: useOwnOrigin,
  });
} else {
  const script = document.createElement('script');
  script.src = root + 'docs/contract-' + (/^[abc]$/.test(of) ? of : 'all') + '.js';
  script.addEventListener('load', () => start({ spec: globalThis.siteContract }));
  script.addEventListener('error', () => {
    document.getElementById('swagger').textContent =
      'The OpenAPI document cannot be loaded. Its file is missing next to this documentation.';
  });
  document.head.append(script);
}
// What Swagger UI leaves out: names of its lists, and that no button may hold a link.
new MutationObserver(() => {
  for (const list of document.querySelectorAll('#swagger select:not([aria-label])'))
    list.setAttribute('aria-label', list.id === 'servers' ? 'Server' : 'Choice');
  for (const link of document.querySelectorAll('#swagger button a[href]')) link.removeAttribute('href');
}).observe(document.getElementById('swagger'), { childList: true, subtree: true });
