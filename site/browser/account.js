// @ts-check

/** @typedef {{ ok: boolean, body: Record<string, unknown> }} Reply */

/** Of the mail; it stands in the fragment, which no server sees. */
const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
/** Between password and second factor. */
let mfaToken = '';

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(form);
  });
}
for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[data-reveals]'))) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(box.dataset.reveals ?? ''));
  box.addEventListener('change', () => {
    field.type = box.checked ? 'text' : 'password';
  });
}
// The link of another mail, opened in this tab, changes nothing but the fragment.
addEventListener('hashchange', () => {
  location.reload();
});
show(document.body.dataset[token === '' ? 'withoutToken' : 'withToken'] ?? '');

/** @param {HTMLFormElement} form */
async function submit(form) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  // A second click must not send the form again: a second use of the token would be refused.
  if (button.disabled) return;
  button.disabled = true;
  say('');
  try {
    const reply = await send(form.dataset.action ?? '', valuesOf(form));
    if (!reply.ok) refuse(form, reply);
    else if ('accepts' in form.dataset) await accept(form, reply);
    else finish(form);
  } catch {
    say('offline');
  } finally {
    button.disabled = false;
  }
}

/**
 * Uses the tokens of a sign-in for one call, and ends its session.
 *
 * @param {HTMLFormElement} form
 * @param {Reply} signedIn
 */
async function accept(form, signedIn) {
  const { access_token: access, refresh_token: refresh } = signedIn.body;
  const reply = await send('/api/v1/dealer-invitations/accept', { token }, String(access));
  await send('/api/v1/auth/revoke', { token: refresh }).catch(() => undefined);
  if (reply.ok) finish(form);
  else refuse(form, reply);
}

/** @param {HTMLFormElement} form */
function finish(form) {
  form.reset();
  // A used token need not stay in the address bar and the history.
  if (form.dataset.next === 'done') history.replaceState(null, '', location.pathname);
  show(form.dataset.next ?? '');
}

/**
 * @param {HTMLFormElement} form
 * @param {Reply} reply
 */
function refuse(form, { body }) {
  const code = String(body.code);
  if (code === 'mfa_required') {
    mfaToken = String(body.mfaToken);
    show('second');
    return;
  }
  // Without a valid link this form leads nowhere.
  if (code === 'not_found' || code === 'token_consumed' || code === 'invitation_expired')
    show(form.dataset.otherwise ?? '');
  say(code);
}

/**
 * The fields of a form, with the token that they belong to.
 *
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
function valuesOf(form) {
  /** @type {Record<string, string>} */
  const values = {};
  for (const field of form.querySelectorAll('input')) if (field.name !== '') values[field.name] = field.value;
  if ('token' in form.dataset) values.token = token;
  const { code, ...rest } = values;
  if (code === undefined) return values;
  const digits = code.replaceAll(/\s/g, '');
  const factor = /^\d{6}$/.test(digits) ? { otp: digits } : { recovery_code: code.trim() };
  return { ...rest, ...factor, mfa_token: mfaToken };
}

/**
 * @param {string} path
 * @param {object} values
 * @param {string} [accessToken]
 * @returns {Promise<Reply>}
 */
async function send(path, values, accessToken) {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      'content-type': 'application/json',
      ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify(values),
  });
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '');
  return { ok: response.ok, body: isJson ? JSON.parse(text) : {} };
}

/**
 * Shows one step and moves the focus to it, so that screen readers announce it.
 *
 * @param {string} step
 */
function show(step) {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-step]'))) {
    place.hidden = place.dataset.step !== step;
    if (place.hidden) continue;
    const target = place.querySelector('input:not([type=hidden]), button, p[tabindex]');
    /** @type {HTMLElement | null} */ (target)?.focus();
  }
}

/**
 * Shows the message of a problem code; none for an empty one.
 *
 * @param {string} code
 */
function say(code) {
  const message = /** @type {HTMLElement} */ (document.getElementById('message'));
  const own = document.querySelector(`[data-code="${CSS.escape(code)}"]`);
  const unknown = document.querySelector('[data-code="unknown"]');
  message.textContent = code === '' ? '' : ((own ?? unknown)?.textContent ?? '');
}
