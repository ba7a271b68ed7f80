/*
 * What runs in the browser on the pages that mails lead to. Every function is sent as it stands here, without its types,
 * so it may use nothing but the others, the browser, and what the page says in its `data-` attributes.
 */

/** What a page knows besides what stands in its forms. */
interface Visit {
  /** Of the mail; it stands in the fragment, which no server sees. */
  readonly token: string;
  /** Between password and second factor. */
  mfaToken: string;
}

interface Reply {
  readonly ok: boolean;
  readonly body: { readonly [member: string]: unknown };
}

function run(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  const visit: Visit = { token, mfaToken: '' };
  for (const form of document.forms) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void submit(form, visit);
    });
  }
  for (const box of document.querySelectorAll<HTMLInputElement>('[data-reveals]')) {
    const field = document.getElementById(box.dataset.reveals ?? '') as HTMLInputElement;
    box.addEventListener('change', () => {
      field.type = box.checked ? 'text' : 'password';
    });
  }
  // The link of another mail, opened in this tab, changes nothing but the fragment.
  addEventListener('hashchange', () => {
    location.reload();
  });
  show(document.body.dataset[token === '' ? 'withoutToken' : 'withToken'] ?? '');
}

async function submit(form: HTMLFormElement, visit: Visit): Promise<void> {
  const button = form.querySelector('button') as HTMLButtonElement;
  // Whoever presses twice has sent it once: a second use of the token would be refused.
  if (button.disabled) return;
  button.disabled = true;
  say('');
  try {
    const reply = await send(form.dataset.action ?? '', valuesOf(form, visit));
    if (!reply.ok) refuse(form, visit, reply);
    else if ('accepts' in form.dataset) await accept(form, visit, reply);
    else finish(form);
  } catch {
    say('offline');
  } finally {
    button.disabled = false;
  }
}

/** Uses the tokens of a sign-in for one call, and ends its session. */
async function accept(form: HTMLFormElement, visit: Visit, signedIn: Reply): Promise<void> {
  const { access_token: access, refresh_token: refresh } = signedIn.body;
  const reply = await send('/api/v1/dealer-invitations/accept', { token: visit.token }, String(access));
  await send('/api/v1/auth/revoke', { token: refresh }).catch(() => undefined);
  if (reply.ok) finish(form);
  else refuse(form, visit, reply);
}

function finish(form: HTMLFormElement): void {
  form.reset();
  // The token is worth nothing any more; it need not stay in the address bar and the history.
  if (form.dataset.next === 'done') history.replaceState(null, '', location.pathname);
  show(form.dataset.next ?? '');
}

function refuse(form: HTMLFormElement, visit: Visit, { body }: Reply): void {
  const code = String(body.code);
  if (code === 'mfa_required') {
    visit.mfaToken = String(body.mfaToken);
    return show('second');
  }
  // Without a good link this form leads nowhere.
  if (code === 'not_found' || code === 'token_consumed' || code === 'invitation_expired')
    show(form.dataset.otherwise ?? '');
  say(code);
}

/** The fields of a form, with what they belong to. */
function valuesOf(form: HTMLFormElement, visit: Visit): object {
  const values: Record<string, string> = {};
  for (const field of form.querySelectorAll('input')) if (field.name !== '') values[field.name] = field.value;
  if ('token' in form.dataset) values.token = visit.token;
  const { code, ...rest } = values;
  if (code === undefined) return values;
  const digits = code.replaceAll(/\s/g, '');
  const factor = /^\d{6}$/.test(digits) ? { otp: digits } : { recovery_code: code.trim() };
  return { ...rest, ...factor, mfa_token: visit.mfaToken };
}

async function send(path: string, values: object, accessToken?: string): Promise<Reply> {
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

/** Shows one step and moves to it, so that those who do not see the page notice. */
function show(step: string): void {
  for (const place of document.querySelectorAll<HTMLElement>('[data-step]')) {
    place.hidden = place.dataset.step !== step;
    if (!place.hidden)
      place.querySelector<HTMLElement>('input:not([type=hidden]), button, p[tabindex]')?.focus();
  }
}

/** Tells what was refused, by its code; nothing for an empty one. */
function say(code: string): void {
  const message = document.getElementById('message') as HTMLElement;
  const told = document.querySelector(`[data-code="${CSS.escape(code)}"]`);
  const unknown = document.querySelector('[data-code="unknown"]');
  message.textContent = code === '' ? '' : ((told ?? unknown)?.textContent ?? '');
}

const functions = [run, submit, accept, finish, refuse, valuesOf, send, show, say];

/** The script of the pages, as browsers run it. */
export const accountScript = `'use strict';\n${functions.map(String).join('\n\n')}\n\nrun();\n`;
