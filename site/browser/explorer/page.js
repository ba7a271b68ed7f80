// @ts-check
import { createPanels, defaultQuery, isWide } from './panels.js';
import { currentToken, startSession } from './session.js';

/**
 * What the four libraries define that the page loads before this script.
 *
 * @typedef {object} Libraries
 * @property {{ createFetcher(options: object): unknown }} GraphiQL
 * @property {{ createClient(options: object): unknown }} graphqlWs
 * @property {{ createElement(component: unknown, properties: object): unknown }} React
 * @property {{ createRoot(element: Element): { render(node: unknown): void } }} ReactDOM
 */

const { GraphiQL, graphqlWs, React, ReactDOM } = /** @type {Libraries} */ (
  /** @type {unknown} */ (globalThis)
);
const place = /** @type {HTMLElement} */ (document.getElementById('graphiql'));
const headers = /** @type {HTMLInputElement} */ (document.getElementById('headers'));
const root = ReactDOM.createRoot(place);
const panels = createPanels(fetchSigned);
const fixed = fixedProperties();
/** Whether the signed-in user may read query plans, which only operators may. */
let readsPlans = false;

new MutationObserver(nameEditors).observe(place, { childList: true, subtree: true });
if (isWide() && !location.search) openExamples();
headers.addEventListener('change', show);
document.addEventListener('themechange', () => setTimeout(show));
startSession(() => void readPermissions());
show();
void readPermissions();

/** Properties of GraphiQL that do not change. */
function fixedProperties() {
  // The address may bring an operation and its variables, as links of the documentation do.
  const asked = new URLSearchParams(location.search);
  const wsClient = graphqlWs.createClient({ url: socketAddress(), connectionParams: signedParams });
  return {
    fetcher: GraphiQL.createFetcher({ url: '/graphql', fetch: fetchSigned, wsClient }),
    defaultQuery,
    query: asked.get('query') ?? undefined,
    variables: asked.get('variables') ?? undefined,
    shouldPersistHeaders: false,
    showPersistHeadersSettings: false,
  };
}

function show() {
  const properties = {
    ...fixed,
    isHeadersEditorEnabled: headers.checked,
    forcedTheme: document.documentElement.dataset.theme,
    // GraphiQL closes the panel when it gets another list.
    plugins: readsPlans ? panels.operator : panels.everyone,
  };
  root.render(React.createElement(GraphiQL, properties));
}

async function readPermissions() {
  const token = await currentToken();
  readsPlans = token !== undefined && (await permissionsOf()).includes('plans:read');
  show();
}

/** @returns {Promise<string[]>} */
async function permissionsOf() {
  try {
    const response = await fetchSigned('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ me { permissions } }' }),
    });
    const { data } = await response.json();
    return data?.me?.permissions ?? [];
  } catch {
    return [];
  }
}

/** Opens the examples as soon as GraphiQL has its buttons, because its property for this only works later. */
function openExamples() {
  new MutationObserver((_changes, observer) => {
    const button = /** @type {HTMLElement | null} */ (place.querySelector('[aria-label="Show Examples"]'));
    if (button === null) return;
    observer.disconnect();
    button.click();
  }).observe(place, { childList: true, subtree: true });
}

/** Labels the editors, which GraphiQL distinguishes by appearance only. */
function nameEditors() {
  const names = [
    ['.graphiql-query-editor', 'Operation'],
    ['.result-window', 'Answer'],
    ['.graphiql-editor-tool', 'Variables and headers'],
  ];
  for (const [selector, name = ''] of names)
    for (const field of place.querySelectorAll(`${selector} textarea:not([aria-label])`))
      field.setAttribute('aria-label', name);
}

/** The address of subscriptions on this host. */
function socketAddress() {
  const { protocol, host } = location;
  return `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/graphql`;
}

/** Called for every connection, so that a subscription continues with a new token. */
async function signedParams() {
  const token = await currentToken();
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/**
 * Adds the token of the signed-in user, unless the request has one.
 *
 * @param {string} url
 * @param {RequestInit} options
 */
async function fetchSigned(url, options) {
  const headers = new Headers(options.headers);
  const token = headers.has('authorization') ? undefined : await currentToken();
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return fetch(url, { ...options, headers });
}
