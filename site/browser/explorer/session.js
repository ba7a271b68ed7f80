// @ts-check

/** @typedef {{ status: number, body: Record<string, unknown> }} Reply */

/**
 * Tokens of the signed-in user. `expiresAt` is in milliseconds since 1970. An operator has no refresh token.
 *
 * @typedef {{ email: string, access: string, refresh: string | null, expiresAt: number }} Session
 */

const key = 'explorer-session';

/**
 * Kept for this tab: a reload keeps it, closing the tab deletes it.
 *
 * @type {Session | null}
 */
let session = readSession();
/** Between password and second factor; empty otherwise. */
let mfaToken = '';
/** @type {Promise<void> | undefined} */
let renewal;
let whenChanged = () => {};

/** A duplicated tab has a copy of the session. It needs the renewed tokens, because a refresh token is used once. */
const copies = new BroadcastChannel(key);
const form = /** @type {HTMLFormElement} */ (document.forms.item(0));

/**
 * Starts the form for signing in and out.
 *
 * @param {() => void} changed called when a user has signed in or out
 */
export function startSession(changed) {
  whenChanged = changed;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void (session === null ? signIn() : signOut());
  });
  form.addEventListener('input', showFields);
  copies.addEventListener('message', ({ data }) => {
    if (session !== null && data.previous === session.refresh) keepSession(data.session);
  });
  showSession();
}

/** Returns the token of the signed-in user, renewed if it is about to expire. */
export async function currentToken() {
  if (session !== null && session.expiresAt - Date.now() < 30_000) {
    renewal ??= renew(session).finally(() => {
      renewal = undefined;
    });
    await renewal;
  }
  return session?.access;
}

/** @returns {Session | null} */
function readSession() {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** @param {Session | null} next */
function keepSession(next) {
  const isOther = session?.email !== next?.email;
  session = next;
  try {
    if (next === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(next));
  } catch {
    // Without storage the session ends with the page.
  }
  showSession();
  if (isOther) whenChanged();
}

async function signIn() {
  const {
    email = '',
    password = '',
    code = '',
  } = /** @type {Record<string, string>} */ (Object.fromEntries(new FormData(form)));
  const digits = code.replaceAll(/\s/g, '');
  const factor = /^\d{6}$/.test(digits) ? { otp: digits } : { recovery_code: digits };
  const { status, body } = await askToken(
    mfaToken === ''
      ? { grant_type: 'password', username: email, password, ...(code && factor) }
      : { grant_type: 'urn:marketplace:mfa-otp', mfa_token: mfaToken, ...factor },
  );
  if (status === 200) {
    mfaToken = '';
    form.reset();
    return keepSession(toSession(email, body));
  }
  mfaToken = String(body.mfaToken ?? '');
  showSession();
  const words = String(body.detail ?? body.error_description ?? 'The server did not answer. Try again.');
  showMessage(mfaToken === '' ? words : 'Enter the code of your authenticator app, or a recovery code.');
}

async function signOut() {
  const token = session?.refresh ?? session?.access ?? '';
  share(session?.refresh, null);
  keepSession(null);
  await post('/api/v1/auth/revoke', { token });
}

/** @param {Session} old */
async function renew({ email, refresh, expiresAt }) {
  if (refresh === null) {
    if (expiresAt <= Date.now()) endSession();
    return;
  }
  const { status, body } = await askToken({ grant_type: 'refresh_token', refresh_token: refresh });
  if (status === 200) {
    const next = toSession(email, body);
    share(refresh, next);
    keepSession(next);
  } else if (status === 400 || status === 401) endSession();
}

/**
 * Sends a session to the copies of this tab, which have its previous refresh token.
 *
 * @param {string | null | undefined} previous
 * @param {Session | null} next
 */
function share(previous, next) {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel only reaches its own origin.
  copies.postMessage({ previous, session: next });
}

function endSession() {
  keepSession(null);
  showMessage('Your session has ended. Sign in again.');
}

/**
 * @param {string} email
 * @param {Record<string, unknown>} body of the token endpoint
 * @returns {Session}
 */
function toSession(email, body) {
  return {
    email,
    access: String(body.access_token),
    refresh: typeof body.refresh_token === 'string' ? body.refresh_token : null,
    expiresAt: Date.now() + Number(body.expires_in) * 1000,
  };
}

/** Shows the fields that the next step needs. An operator, who has a name instead of an address, signs in in one step. */
function showFields() {
  const name = /** @type {HTMLInputElement} */ (form.elements.namedItem('email')).value;
  const isOperator = name !== '' && !name.includes('@');
  const first = isOperator ? ['password', 'code'] : ['password'];
  const asked = session !== null ? [] : mfaToken === '' ? first : ['code'];
  for (const label of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll('[data-for]'))) {
    const isAsked = asked.includes(label.dataset.for ?? '');
    label.hidden = !isAsked;
    for (const field of label.querySelectorAll('input')) field.required = isAsked;
  }
}

function showSession() {
  showFields();
  const button = form.querySelector('button');
  if (button) button.textContent = session === null ? 'Sign in' : 'Sign out';
  showMessage(session === null ? 'You are not signed in.' : `You are signed in as ${session.email}.`);
}

/** @param {string} words */
function showMessage(words) {
  const place = document.getElementById('session');
  if (place) place.textContent = words;
}

/** @param {Record<string, string>} credential */
async function askToken(credential) {
  return post('/api/v1/auth/token', credential);
}

/**
 * @param {string} path
 * @param {Record<string, string>} values
 * @returns {Promise<Reply>} status 0 if the server did not answer
 */
async function post(path, values) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'omit',
      body: new URLSearchParams(values),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  } catch {
    return { status: 0, body: {} };
  }
}
