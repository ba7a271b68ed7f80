// @ts-check

/**
 * What a payer or a dealer is asked to decide, as `sandboxOrder` returns it.
 *
 * @typedef {object} Order
 * @property {string} kind
 * @property {string} status
 * @property {{ amount: number, currency: string } | null} amount
 * @property {string | null} returnUrl
 */

const fields = 'kind status amount { amount currency } returnUrl';
const clientSecret = new URLSearchParams(location.hash.slice(1)).get('secret') ?? '';

for (const form of document.forms) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { name, value } = /** @type {HTMLButtonElement} */ (event.submitter);
    void answer({ clientSecret, [name]: value });
  });
}
addEventListener('hashchange', () => {
  location.reload();
});
void readOrder();

async function readOrder() {
  const source = `query ($clientSecret: String!) { sandboxOrder(clientSecret: $clientSecret) { ${fields} } }`;
  const data = await ask(source, { clientSecret });
  if (data) show(/** @type {Order | null} */ (data.sandboxOrder));
}

/** @param {object} input */
async function answer(input) {
  const source = `mutation ($input: AnswerSandboxInput!) { answerSandbox(input: $input) { order { ${fields} } } }`;
  const data = await ask(source, { input });
  if (data) show(/** @type {{ order: Order }} */ (data.answerSandbox).order);
}

/**
 * Returns the data of an operation; null, with a message on the page, if it was refused.
 *
 * @param {string} query
 * @param {object} variables
 * @returns {Promise<Record<string, unknown> | null>}
 */
async function ask(query, variables) {
  const message = /** @type {HTMLElement} */ (document.getElementById('message'));
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
    message.textContent = 'The server cannot be reached. Check your connection, then try again.';
  }
  return null;
}

/** @param {Order | null} order */
function show(order) {
  const place = /** @type {HTMLElement} */ (document.getElementById('order'));
  place.textContent = order ? wordsOf(order) : 'This sandbox link is invalid. Request a new one.';
  const step = order ? stepOf(order) : 'none';
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-step]')))
    part.hidden = part.dataset.step !== step;
  const back = /** @type {HTMLAnchorElement} */ (document.getElementById('back'));
  if (order?.returnUrl) back.href = order.returnUrl;
  place.focus();
}

/** @param {Order} order */
function wordsOf({ kind, status, amount }) {
  const state = status.replaceAll('_', ' ');
  if (!amount) return `${kind === 'METHOD' ? 'Card to be stored' : 'Payout account of a dealer'}: ${state}.`;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: amount.currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `Payment of ${format.format(amount.amount / 10 ** digits)}: ${state}.`;
}

/**
 * The form that is shown.
 *
 * @param {Order} order
 */
function stepOf({ kind, status }) {
  if (kind === 'ACCOUNT') return status === 'active' ? 'back' : 'answer';
  if (status === 'requires_action') return 'answer';
  return status === 'pending' || status === 'requires_payment_method' ? 'card' : 'back';
}
