// @ts-check
'use strict';

/** Keeps the address and the rows in step with the filter, so that the address can be shared. */
const form = /** @type {HTMLFormElement} */ (document.forms.item(0));
const asked = new URLSearchParams(location.search);
for (const name of ['q', 'interface', 'kind']) {
  const control = /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  control.value = asked.get(name) ?? '';
  control.addEventListener('input', showRows);
}
form.addEventListener('submit', (event) => {
  event.preventDefault();
});
showRows();

function showRows() {
  const wanted = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== '') wanted.set(name, String(value));
  history.replaceState(null, '', `${location.pathname}${wanted.size > 0 ? `?${wanted.toString()}` : ''}`);
  const words = (wanted.get('q') ?? '').toLowerCase().split(/\s+/);
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('tr[data-kinds]')]);
  for (const row of rows) row.hidden = !isWanted(row, words, wanted);
  const shown = rows.filter((row) => !row.hidden).length;
  const count = document.getElementById('count');
  if (count) count.textContent = `${shown} of ${rows.length} shown`;
}

/**
 * @param {HTMLElement} row
 * @param {readonly string[]} words
 * @param {URLSearchParams} wanted
 */
function isWanted(row, words, wanted) {
  const text = (row.textContent ?? '').toLowerCase();
  const kind = wanted.get('kind');
  return (
    words.every((word) => text.includes(word)) &&
    (!wanted.has('interface') || row.dataset.interface === wanted.get('interface')) &&
    (kind === null || (row.dataset.kinds ?? '').split(' ').includes(kind))
  );
}
