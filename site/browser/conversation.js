// @ts-check

/** @typedef {{ id: string, seq: number, author: { side: string, displayName: string }, text: string | null }} Message */

const conversationId = location.pathname.split('/').at(-1) ?? '';
const signIn = /** @type {HTMLFormElement} */ (document.getElementById('sign-in'));
const answer = /** @type {HTMLFormElement} */ (document.getElementById('answer'));
const thread = /** @type {HTMLElement} */ (document.getElementById('thread'));
const code = /** @type {HTMLElement} */ (document.getElementById('code'));
/** Tokens stay in this page. */
let access = '';
let mfaToken = '';
let side = '';
let lastSeq = 0;
/** Of the current answer, so that a repetition after a lost response does not send it twice. */
let clientMessageId = crypto.randomUUID();

signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  void guarded(signIn, open);
});
answer.addEventListener('submit', (event) => {
  event.preventDefault();
  void guarded(answer, reply);
});

/**
 * Runs the work of a form once at a time, and shows what was refused.
 *
 * @param {HTMLFormElement} form
 * @param {() => Promise<void>} work
 */
async function guarded(form, work) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));
  if (button.disabled) return;
  button.disabled = true;
  say('');
  try {
    await work();
  } catch (error) {
    say(error instanceof TypeError ? 'The server cannot be reached.' : /** @type {Error} */ (error).message);
  } finally {
    button.disabled = false;
  }
}

async function open() {
  const { username, password, otp } = Object.fromEntries(new FormData(signIn));
  const grant =
    mfaToken === ''
      ? { grant_type: 'password', username, password }
      : { grant_type: 'urn:marketplace:mfa-otp', mfa_token: mfaToken, otp };
  const response = await fetch('/api/v1/auth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(grant),
  });
  const body = await response.json();
  if (body.code === 'mfa_required') {
    mfaToken = body.mfaToken;
    code.hidden = false;
    return;
  }
  if (!response.ok) throw new Error(body.detail ?? body.error_description ?? 'The sign-in was refused.');
  access = body.access_token;
  const conversation = await call('GET', `/conversations/${conversationId}`);
  side = conversation.side;
  /** @type {HTMLElement} */ (document.getElementById('subject')).textContent =
    `${conversation.subject?.title ?? ''} · ${side === 'buyer' ? conversation.sellerName : conversation.buyerName}`;
  signIn.hidden = true;
  thread.hidden = false;
  await load();
  setInterval(() => void load().catch(() => undefined), 5000);
}

async function reply() {
  const field = /** @type {HTMLTextAreaElement} */ (document.getElementById('text'));
  await call('POST', `/conversations/${conversationId}/messages`, { text: field.value, clientMessageId });
  clientMessageId = crypto.randomUUID();
  field.value = '';
  await load();
}

/** Adds the messages that are not shown yet. */
async function load() {
  const { data } = await call('GET', `/conversations/${conversationId}/messages?after=${lastSeq}`);
  const list = /** @type {HTMLElement} */ (document.getElementById('messages'));
  for (const { seq, author, text } of /** @type {Message[]} */ (data)) {
    if (seq <= lastSeq) continue;
    lastSeq = seq;
    const item = document.createElement('li');
    item.className = author.side === side ? 'own' : '';
    const name = document.createElement('small');
    name.textContent = author.displayName;
    item.append(name, `\n${text ?? ''}`);
    list.append(item);
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function call(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${access}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answered = await response.json();
  if (!response.ok) throw new Error(answered.detail);
  return answered;
}

/** @param {string} text */
function say(text) {
  /** @type {HTMLElement} */ (document.getElementById('message')).textContent = text;
}
