// @ts-check
'use strict';

/**
 * @typedef {{ client: string, clientName: string | null, route: string | null, operationHash: string | null,
 *   operationName: string | null, count: number, lastUsedAt: string }} Usage
 */

(() => {
  const dayMs = 86_400_000;
  const query = `query usage($filter: ApiUsageFilter, $after: String) {
    apiUsage(filter: $filter, first: 100, after: $after) {
      nodes { client clientName route operationHash operationName count lastUsedAt }
      pageInfo { hasNextPage endCursor }
    }
  }`;
  const form = /** @type {HTMLFormElement} */ (document.getElementById('usage'));
  const body = /** @type {HTMLElement} */ (document.querySelector('tbody'));
  const count = /** @type {HTMLElement} */ (document.getElementById('count'));
  const more = /** @type {HTMLButtonElement} */ (document.getElementById('more'));
  /** @type {Record<string, unknown> | null} */
  let filter = null;
  /** @type {string | null} */
  let after = null;

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = new FormData(form);
    filter = { from: new Date(Date.now() - 30 * dayMs).toISOString() };
    for (const name of ['coordinate', 'client']) {
      const value = String(values.get(name) ?? '').trim();
      if (value !== '') filter[name] = value;
    }
    after = null;
    body.replaceChildren();
    void show();
  });
  more.addEventListener('click', () => void show());

  async function show() {
    more.hidden = true;
    count.textContent = 'Loading';
    try {
      const { nodes, pageInfo } = await read();
      body.append(...nodes.map(toRow));
      after = pageInfo.endCursor;
      more.hidden = !pageInfo.hasNextPage;
      const rows = body.childElementCount;
      count.textContent = `${rows} ${rows === 1 ? 'entry' : 'entries'} shown`;
    } catch (error) {
      count.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** @returns {Promise<{ nodes: Usage[], pageInfo: { hasNextPage: boolean, endCursor: string | null } }>} */
  async function read() {
    const token = String(new FormData(form).get('token') ?? '').trim();
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { filter, after } }),
    });
    const answer = await response.json();
    const page = answer.data?.apiUsage;
    if (page) return page;
    throw new Error(answer.errors?.[0]?.message ?? answer.detail ?? `Status ${response.status}.`);
  }

  /** @param {Usage} usage */
  function toRow({ client, clientName, route, operationHash, operationName, count: executions, lastUsedAt }) {
    const row = document.createElement('tr');
    const texts = [
      clientName === null ? client : `${clientName} (${client})`,
      route ?? operationName ?? operationHash ?? '',
      executions.toLocaleString('en'),
      `${lastUsedAt.slice(0, 16).replace('T', ' ')} UTC`,
    ];
    for (const text of texts) row.insertCell().textContent = text;
    return row;
  }
})();
