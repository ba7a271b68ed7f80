// @ts-check
'use strict';

/**
 * Shows the rows that match the form of the page: each word of the text `q`, and for each select the word of the row's
 * data attribute of the same name. Keeps the address and the rows in step with the form, so that the address can be
 * shared.
 */
const form = /** @type {HTMLFormElement} */ (document.forms.item(0));
const selects = /** @type {HTMLSelectElement[]} */ ([...form.querySelectorAll('select')]);
const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('tbody tr')]);
const texts = rows.map((row) => (row.textContent ?? '').toLowerCase());
const asked = new URLSearchParams(location.search);
for (const name of ['q', ...selects.map((select) => select.name)]) {
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
  let shown = 0;
  for (const [index, row] of rows.entries()) {
    row.hidden = !isWanted(row, texts[index] ?? '', words, wanted);
    if (!row.hidden) shown += 1;
  }
  const count = document.getElementById('count');
  if (count) count.textContent = `${shown} of ${rows.length} shown`;
}

/**
 * @param {HTMLElement} row
 * @param {string} text
 * @param {readonly string[]} words
 * @param {URLSearchParams} wanted
 */
function isWanted(row, text, words, wanted) {
  return (
    words.every((word) => text.includes(word)) &&
    selects.every(({ name }) => {
      const value = wanted.get(name);
      return value === null || (row.dataset[name] ?? '').split(' ').includes(value);
    })
  );
}
