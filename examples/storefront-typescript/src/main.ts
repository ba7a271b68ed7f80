import { ProblemError } from '@trigate/client';
import { client } from './client.ts';
import { el, form } from './dom.ts';
import { detailPage, listPage, savedPage } from './listings.ts';

/** Aborted when the reader leaves the page, for streams. */
let leaving = new AbortController();

const pages: readonly (readonly [RegExp, (signal: AbortSignal, value: string) => Promise<Node>])[] = [
  [/^#\/cars\/(lst_\w+)$/, detailPage],
  [/^#\/saved$/, savedPage],
  [/^#\/sign-in$/, signInPage],
  [/^(?:#\/)?(\?.*)?$/, listPage],
];

/** Shows the page of the address. */
async function show(): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const main = document.querySelector('main') as HTMLElement;
  showAccount();
  const [pattern, page] = pages.find(([known]) => known.test(location.hash)) ?? [/$/, listPage];
  try {
    const content = await page(signal, pattern.exec(location.hash)?.[1] ?? '');
    if (!signal.aborted) main.replaceChildren(content);
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof ProblemError && error.status === 401) location.hash = '#/sign-in';
    else
      main.replaceChildren(
        el('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)),
      );
  }
}

function showAccount(): void {
  const account = document.getElementById('account') as HTMLElement;
  if (!client.session.isSignedIn) return account.replaceChildren(el('a', { href: '#/sign-in' }, 'Sign in'));
  const button = el('button', { type: 'button' }, 'Sign out');
  button.addEventListener('click', () => void client.session.signOut().finally(show));
  account.replaceChildren(button);
}

/** A sign-in by password. An account with a second factor asks for its code as well. */
async function signInPage(): Promise<Node> {
  let mfaToken = '';
  const code = el(
    'label',
    { hidden: true },
    'Code of your authenticator',
    el('input', { name: 'otp', inputMode: 'numeric' }),
  );
  return form(
    async (values) => {
      const text = (name: string) => String(values.get(name) ?? '');
      try {
        if (mfaToken === '')
          await client.session.signIn({ username: text('email'), password: text('password') });
        else await client.session.signInWithCode({ mfaToken, otp: text('otp') });
        location.hash = '#/';
      } catch (error) {
        if (!(error instanceof ProblemError) || !error.is('mfa_required')) throw error;
        mfaToken = String((error.problem as { mfaToken?: string }).mfaToken);
        code.hidden = false;
      }
    },
    el('h1', {}, 'Sign in'),
    el(
      'label',
      {},
      'Email address',
      el('input', { name: 'email', type: 'email', autocomplete: 'username', required: true }),
    ),
    el(
      'label',
      {},
      'Password',
      el('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true }),
    ),
    code,
    el('button', {}, 'Sign in'),
  );
}

addEventListener('hashchange', () => void show());
void show();
