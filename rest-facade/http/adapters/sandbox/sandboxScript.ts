/*
 * What runs in the browser on the sandbox's page. Every function is sent as it stands here, without its types, so it may use
 * nothing but the others and the browser.
 */

interface Order {
  readonly kind: string;
  readonly status: string;
  readonly amount: { readonly amount: number; readonly currency: string } | null;
  readonly returnUrl: string | null;
}

async function run(): Promise<void> {
  const clientSecret = new URLSearchParams(location.hash.slice(1)).get('secret') ?? '';
  for (const form of document.forms) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const { name, value } = event.submitter as HTMLButtonElement;
      void answer({ clientSecret, [name]: value });
    });
  }
  addEventListener('hashchange', () => {
    location.reload();
  });
  const shown = 'kind status amount { amount currency } returnUrl';
  const source = `query ($clientSecret: String!) { sandboxOrder(clientSecret: $clientSecret) { ${shown} } }`;
  const data = await ask(source, { clientSecret });
  if (data) show(data.sandboxOrder as Order | null);
}

async function answer(input: object): Promise<void> {
  const shown = 'order { kind status amount { amount currency } returnUrl }';
  const source = `mutation ($input: AnswerSandboxInput!) { answerSandbox(input: $input) { ${shown} } }`;
  const data = await ask(source, { input });
  if (data) show((data.answerSandbox as { order: Order }).order);
}

/** Data of an operation; null, and said so, where it was refused. */
async function ask(query: string, variables: object): Promise<Record<string, unknown> | null> {
  const message = document.getElementById('message') as HTMLElement;
  message.textContent = '';
  try {
    const response = await fetch('/graphql', {
      method: 'POST',
      credentials: 'omit',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    if (!errors) return data;
    message.textContent = errors[0].message;
  } catch {
    message.textContent = 'The product does not answer. Try again.';
  }
  return null;
}

function show(order: Order | null): void {
  const told = document.getElementById('order') as HTMLElement;
  told.textContent = order ? wordsOf(order) : 'Nothing waits under this address.';
  const step = order ? stepOf(order) : 'none';
  for (const place of document.querySelectorAll<HTMLElement>('[data-step]'))
    place.hidden = place.dataset.step !== step;
  const back = document.getElementById('back') as HTMLAnchorElement;
  if (order?.returnUrl) back.href = order.returnUrl;
  told.focus();
}

function wordsOf({ kind, status, amount }: Order): string {
  const state = status.replaceAll('_', ' ');
  if (!amount) return `${kind === 'METHOD' ? 'A card to keep' : 'Account of a dealer'}: ${state}.`;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: amount.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `Payment of ${format.format(amount.amount / 10 ** digits)}: ${state}.`;
}

/** What may be pressed now. */
function stepOf({ kind, status }: Order): string {
  if (kind === 'ACCOUNT') return status === 'active' ? 'back' : 'answer';
  if (status === 'requires_action') return 'answer';
  return status === 'pending' || status === 'requires_payment_method' ? 'card' : 'back';
}

const functions = [run, answer, ask, show, wordsOf, stepOf];

/** The script of the page, as browsers run it. */
export const sandboxScript = `'use strict';\n${functions.map(String).join('\n\n')}\n\nrun();\n`;
