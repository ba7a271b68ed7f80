/** Starts Swagger UI on the contract that the address names, in the colours of the page. */
export const swaggerStart = `'use strict';
const root = document.documentElement.dataset.root ?? '/';
const of = new URLSearchParams(location.search).get('of');
for (const link of document.querySelectorAll('.contracts a'))
  if (link.pathname + link.search === location.pathname + location.search) link.setAttribute('aria-current', 'page');
window.ui = SwaggerUIBundle({
  url: root + (of === null ? 'api/v1/openapi.json' : 'docs/openapi/' + encodeURIComponent(of)),
  dom_id: '#swagger',
  deepLinking: true,
  tryItOutEnabled: false,
  validatorUrl: null,
});
`;

/** What of Swagger UI’s own colours would not fit the page. */
export const swaggerTheme = `html.dark-mode body { background: var(--ground); }
.swagger-ui .wrapper { padding: 0; max-width: none; }
`;
