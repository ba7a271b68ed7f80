/*
 * What runs in the browser on the page of the audit. Every function is sent as it stands here, without its types, so it
 * may use nothing but the others, the browser, and what the page says in its `data-` attributes.
 */

/** Keeps address and rows in step with what is looked for: the address can be sent to somebody else. */
function filterAudit(): void {
  const form = document.forms.item(0) as HTMLFormElement;
  const asked = new URLSearchParams(location.search);
  for (const name of ['q', 'interface', 'kind']) {
    const control = form.elements.namedItem(name) as HTMLInputElement;
    control.value = asked.get(name) ?? '';
    control.addEventListener('input', () => showAudit(form));
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
  });
  showAudit(form);
}

function showAudit(form: HTMLFormElement): void {
  const wanted = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') wanted.set(name, String(value));
  history.replaceState(null, '', `${location.pathname}${wanted.size > 0 ? `?${wanted.toString()}` : ''}`);
  const words = (wanted.get('q') ?? '').toLowerCase().split(/\s+/);
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-kinds]')];
  for (const row of rows) row.hidden = !isWanted(row, words, wanted);
  const shown = rows.filter((row) => !row.hidden).length;
  const count = document.getElementById('count');
  if (count) count.textContent = `${shown} of ${rows.length} shown`;
}

function isWanted(row: HTMLElement, words: readonly string[], wanted: URLSearchParams): boolean {
  const text = (row.textContent ?? '').toLowerCase();
  const kind = wanted.get('kind');
  return (
    words.every((word) => text.includes(word)) &&
    (!wanted.has('interface') || row.dataset.interface === wanted.get('interface')) &&
    (kind === null || (row.dataset.kinds ?? '').split(' ').includes(kind))
  );
}

/** The script of the page, as browsers run it. */
export const auditScript = `'use strict';\n${[filterAudit, showAudit, isWanted].map(String).join('\n\n')}\n\nfilterAudit();\n`;
