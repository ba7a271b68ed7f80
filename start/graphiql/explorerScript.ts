/*
 * What runs in the browser on the GraphQL explorer. Every function is sent as it stands here, without its types, so it
 * may use nothing but the others, the browser, and the three libraries that the page loads before it.
 */

declare const GraphiQL: { createFetcher(options: object): unknown };
declare const React: { createElement(component: unknown, properties: object): unknown };
declare const ReactDOM: { createRoot(element: Element | null): { render(node: unknown): void } };

/** Who is signed in on this page; in its memory alone. */
interface ExplorerSession {
  access: string;
  refresh: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** What the page remembers while it is open. */
interface Visit {
  session: ExplorerSession | null;
  /** Between password and second factor; empty otherwise. */
  mfaToken: string;
}

function runExplorer(defaultQuery: string): void {
  const visit: Visit = { session: null, mfaToken: '' };
  const form = document.forms.item(0) as HTMLFormElement;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void (visit.session === null ? signIn(form, visit) : signOut(form, visit));
  });
  showSession(form, visit);
  // A link may bring an operation and its variables, as those of the documentation do.
  const asked = new URLSearchParams(location.search);
  const query = asked.get('query') ?? undefined;
  const variables = asked.get('variables') ?? undefined;
  const fetcher = GraphiQL.createFetcher({
    url: '/graphql',
    fetch: (url: string, options: RequestInit) => fetchSigned(url, options, visit),
  });
  const properties = { fetcher, defaultQuery, query, variables, shouldPersistHeaders: false };
  const place = document.getElementById('graphiql') as HTMLElement;
  new MutationObserver(() => {
    nameEditors(place);
  }).observe(place, { childList: true, subtree: true });
  ReactDOM.createRoot(place).render(React.createElement(GraphiQL, properties));
}

/** The editors are named by their looks alone. */
function nameEditors(place: HTMLElement): void {
  const names: [selector: string, name: string][] = [
    ['.graphiql-query-editor', 'Operation'],
    ['.result-window', 'Answer'],
    ['.graphiql-editor-tool', 'Variables and headers'],
  ];
  for (const [selector, name] of names)
    for (const field of place.querySelectorAll(`${selector} textarea:not([aria-label])`))
      field.setAttribute('aria-label', name);
}

async function signIn(form: HTMLFormElement, visit: Visit): Promise<void> {
  const { email, password, code } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const digits = (code ?? '').replaceAll(/\s/g, '');
  const factor: Record<string, string> = /^\d{6}$/.test(digits) ? { otp: digits } : { recovery_code: digits };
  const credential =
    visit.mfaToken === ''
      ? { grant_type: 'password', username: email ?? '', password: password ?? '' }
      : { grant_type: 'urn:marketplace:mfa-otp', mfa_token: visit.mfaToken, ...factor };
  const { ok, body } = await askToken(credential);
  if (ok) {
    keepSession(visit, body);
    visit.mfaToken = '';
    form.reset();
    return showSession(form, visit, email ?? '');
  }
  visit.mfaToken = String(body.mfaToken ?? '');
  showSession(form, visit);
  const words = String(body.detail ?? body.error_description ?? 'The server did not answer.');
  tellExplorer(visit.mfaToken === '' ? words : 'Now the code of your authenticator, or a recovery code.');
}

async function signOut(form: HTMLFormElement, visit: Visit): Promise<void> {
  const token = visit.session?.refresh ?? '';
  visit.session = null;
  showSession(form, visit);
  await fetch('/api/v1/auth/revoke', {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({ token }),
  });
}

function keepSession(visit: Visit, body: Record<string, unknown>): void {
  visit.session = {
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    expiresAt: Date.now() + Number(body.expires_in) * 1000,
  };
}

/** Which fields are asked for now, and what the button does. */
function showSession(form: HTMLFormElement, { session, mfaToken }: Visit, email?: string): void {
  const asked = session !== null ? '' : mfaToken === '' ? 'password' : 'code';
  for (const label of form.querySelectorAll<HTMLElement>('[data-for]')) {
    const isAsked = label.dataset.for === asked;
    label.hidden = !isAsked;
    for (const field of label.querySelectorAll('input')) field.required = isAsked;
  }
  const button = form.querySelector('button');
  if (button) button.textContent = session === null ? 'Sign in' : 'Sign out';
  tellExplorer(session === null ? 'You ask as a stranger.' : `You ask as ${email}.`);
}

function tellExplorer(words: string): void {
  const place = document.getElementById('session');
  if (place) place.textContent = words;
}

async function askToken(
  credential: Record<string, string>,
): Promise<{ ok: boolean; body: Record<string, unknown> }> {
  try {
    const response = await fetch('/api/v1/auth/token', {
      method: 'POST',
      credentials: 'omit',
      body: new URLSearchParams(credential),
    });
    return { ok: response.ok, body: (await response.json()) as Record<string, unknown> };
  } catch {
    return { ok: false, body: {} };
  }
}

/** Adds the token of whoever is signed in, a new one if it is about to end, unless the caller wrote one himself. */
async function fetchSigned(url: string, options: RequestInit, visit: Visit): Promise<Response> {
  const headers = new Headers(options.headers);
  const { session } = visit;
  if (session === null || headers.has('authorization')) return fetch(url, options);
  if (session.expiresAt - Date.now() < 30_000) {
    const { ok, body } = await askToken({ grant_type: 'refresh_token', refresh_token: session.refresh });
    if (ok) keepSession(visit, body);
  }
  headers.set('authorization', `Bearer ${visit.session?.access}`);
  return fetch(url, { ...options, headers });
}

const functions = [
  runExplorer,
  nameEditors,
  signIn,
  signOut,
  keepSession,
  showSession,
  tellExplorer,
  askToken,
  fetchSigned,
];

const defaultQuery = `# Anybody may read the catalogue. For the rest, sign in above,
# or write a token below, under Headers:
#   {"Authorization": "Bearer <access_token>"}

query catalogue {
  catalogListings(first: 3) {
    nodes { id title price { amount currency } }
  }
}
`;

/** The script of the explorer, as browsers run it. */
export const explorerScript = `'use strict';\n${functions.map(String).join('\n\n')}\n\nrunExplorer(${JSON.stringify(defaultQuery)});\n`;
