// @ts-check
'use strict';

/**
 * A page and its headings, as `search.js` lists them.
 *
 * @typedef {{ path: string, title: string, words: string, headings: [id: string, text: string][] }} Entry
 */

moveOldAddresses();
startSearch();

/** Earlier releases served the explorer at `/docs`. */
function moveOldAddresses() {
  const { pathname, hash, search } = location;
  if (pathname !== '/docs' || !(hash.startsWith('#/') || search.startsWith('?of='))) return;
  location.replace(`/docs/rest${search}${hash}`);
}

function startSearch() {
  const menu = /** @type {HTMLDetailsElement | null} */ (document.getElementById('menu'));
  if (!menu) return;
  menu.open = matchMedia('(min-width: 56rem)').matches;
  const field = /** @type {HTMLInputElement} */ (document.getElementById('find'));
  /** @type {HTMLElement} */ (field.parentElement).hidden = false;
  field.addEventListener('input', () => void findPages(field));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = '';
    void findPages(field);
  });
}

/**
 * Lists pages and headings that contain every typed word, in place of the list of pages.
 *
 * @param {HTMLInputElement} field
 */
async function findPages(field) {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = /** @type {HTMLElement} */ (document.getElementById('found'));
  const count = /** @type {HTMLElement} */ (document.getElementById('count'));
  /** @type {HTMLElement} */ (document.getElementById('pages')).hidden = words.length > 0;
  const entries = words.length > 0 ? await loadEntries() : [];
  // A word that was typed while the entries loaded has its own call.
  if (words.join(' ') !== field.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ')) return;
  const links = entries.flatMap((entry) => linksOf(entry, words)).slice(0, 40);
  list.replaceChildren(...links);
  count.textContent =
    words.length === 0 ? '' : links.length === 0 ? 'No results. Try other words.' : `${links.length} found`;
}

/**
 * @param {Entry} entry
 * @param {string[]} words
 */
function linksOf({ path, title, words: more, headings }, words) {
  const root = document.documentElement.dataset.root ?? '/';
  const holds = (/** @type {string} */ text) => words.every((word) => text.toLowerCase().includes(word));
  /** @type {[address: string, text: string][]} */
  const places = holds(`${title} ${more}`) ? [[path, title]] : [];
  for (const [id, text] of headings)
    if (holds(`${title} ${text}`) && !(holds(title) && places.length > 3))
      places.push([`${path}#${id}`, `${title}: ${text}`]);
  return places.map(([address, text]) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = root + address;
    link.textContent = text;
    item.append(link);
    return item;
  });
}

/**
 * Loads the entries when a search begins. They are a script, because a page that was opened as a file cannot fetch.
 *
 * @returns {Promise<Entry[]>}
 */
function loadEntries() {
  const known = () => /** @type {{ siteEntries?: Entry[] }} */ (globalThis).siteEntries;
  const loaded = known();
  if (loaded) return Promise.resolve(loaded);
  return new Promise((resolve) => {
    const script = document.createElement('script');
    const done = () => resolve(known() ?? []);
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    script.src = `${document.documentElement.dataset.root ?? '/'}docs/search.js`;
    document.head.append(script);
  });
}
