// @ts-check
'use strict';

/**
 * What the four libraries define that the page loads before this script.
 *
 * @typedef {object} Libraries
 * @property {{ createFetcher(options: object): unknown }} GraphiQL
 * @property {{ createClient(options: object): unknown }} graphqlWs
 * @property {{ createElement(component: unknown, properties: object): unknown }} React
 * @property {{ createRoot(element: Element): { render(node: unknown): void } }} ReactDOM
 */

/** @typedef {{ ok: boolean, body: Record<string, unknown> }} Reply */

const defaultQuery = `# Anybody may read the catalogue. For the rest, sign in above,
# or write a token below, under Headers:
#   {"Authorization": "Bearer <access_token>"}

query catalogue {
  catalogListings(first: 3) {
    nodes { id title price { amount currency } }
  }
}
`;

/**
 * The signed-in user's tokens, in the memory of this page alone; `expiresAt` in milliseconds since 1970.
 *
 * @type {{ access: string, refresh: string, expiresAt: number } | null}
 */
let session = null;
/** Between password and second factor; empty otherwise. */
let mfaToken = '';

const form = /** @type {HTMLFormElement} */ (document.forms.item(0));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void (session === null ? signIn() : signOut());
});
showSession();
startExplorer();

function startExplorer() {
  const { GraphiQL, graphqlWs, React, ReactDOM } = /** @type {Libraries} */ (
    /** @type {unknown} */ (globalThis)
  );
  // The address may bring an operation and its variables, as links of the documentation do.
  const asked = new URLSearchParams(location.search);
  const query = asked.get('query') ?? undefined;
  const variables = asked.get('variables') ?? undefined;
  const wsClient = graphqlWs.createClient({ url: socketAddress(), connectionParams: signedParams });
  const fetcher = GraphiQL.createFetcher({ url: '/graphql', fetch: fetchSigned, wsClient });
  const properties = { fetcher, defaultQuery, query, variables, shouldPersistHeaders: false };
  const place = /** @type {HTMLElement} */ (document.getElementById('graphiql'));
  new MutationObserver(() => {
    nameEditors(place);
  }).observe(place, { childList: true, subtree: true });
  ReactDOM.createRoot(place).render(React.createElement(GraphiQL, properties));
}

/**
 * Labels the editors, which GraphiQL distinguishes by appearance only.
 *
 * @param {HTMLElement} place
 */
function nameEditors(place) {
  const names = [
    ['.graphiql-query-editor', 'Operation'],
    ['.result-window', 'Answer'],
    ['.graphiql-editor-tool', 'Variables and headers'],
  ];
  for (const [selector, name = ''] of names)
    for (const field of place.querySelectorAll(`${selector} textarea:not([aria-label])`))
      field.setAttribute('aria-label', name);
}

async function signIn() {
  const { email, password, code } = /** @type {Record<string, string>} */ (
    Object.fromEntries(new FormData(form))
  );
  const digits = (code ?? '').replaceAll(/\s/g, '');
  const factor = /^\d{6}$/.test(digits) ? { otp: digits } : { recovery_code: digits };
  const { ok, body } = await askToken(
    mfaToken === ''
      ? { grant_type: 'password', username: email ?? '', password: password ?? '' }
      : { grant_type: 'urn:marketplace:mfa-otp', mfa_token: mfaToken, ...factor },
  );
  if (ok) {
    keepSession(body);
    mfaToken = '';
    form.reset();
    showSession(email ?? '');
    return;
  }
  mfaToken = String(body.mfaToken ?? '');
  showSession();
  const words = String(body.detail ?? body.error_description ?? 'The server did not answer. Try again.');
  showMessage(mfaToken === '' ? words : 'Enter the code of your authenticator app, or a recovery code.');
}

async function signOut() {
  const token = session?.refresh ?? '';
  session = null;
  showSession();
  await fetch('/api/v1/auth/revoke', {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({ token }),
  });
}

/** @param {Record<string, unknown>} body */
function keepSession(body) {
  session = {
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    expiresAt: Date.now() + Number(body.expires_in) * 1000,
  };
}

/**
 * Shows the fields that the next step needs, and the session.
 *
 * @param {string} [email]
 */
function showSession(email) {
  const asked = session !== null ? '' : mfaToken === '' ? 'password' : 'code';
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[data-for]'))) {
    const isAsked = label.dataset.for === asked;
    label.hidden = !isAsked;
    for (const field of label.querySelectorAll('input')) field.required = isAsked;
  }
  const button = form.querySelector('button');
  if (button) button.textContent = session === null ? 'Sign in' : 'Sign out';
  showMessage(session === null ? 'You are not signed in.' : `You are signed in as ${email}.`);
}

/** @param {string} words */
function showMessage(words) {
  const place = document.getElementById('session');
  if (place) place.textContent = words;
}

/**
 * @param {Record<string, string>} credential
 * @returns {Promise<Reply>}
 */
async function askToken(credential) {
  try {
    const response = await fetch('/api/v1/auth/token', {
      method: 'POST',
      credentials: 'omit',
      body: new URLSearchParams(credential),
    });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return { ok: false, body: {} };
  }
}

/** Returns the token of the signed-in user, renewed if it is about to expire. */
async function currentToken() {
  if (session === null) return undefined;
  if (session.expiresAt - Date.now() < 30_000) {
    const { ok, body } = await askToken({ grant_type: 'refresh_token', refresh_token: session.refresh });
    if (ok) keepSession(body);
  }
  return session?.access;
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
