// @ts-check
'use strict';

/** @typedef {import('../search/sectionsOf.ts').Section} Section */
/** @typedef {(typed: string) => Section[]} Find */

moveOldAddresses();
startSearch();
startCopyButtons();

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
 * Lists the found sections in place of the list of pages.
 *
 * @param {HTMLInputElement} field
 */
async function findPages(field) {
  const typed = field.value.trim();
  const list = /** @type {HTMLElement} */ (document.getElementById('found'));
  const count = /** @type {HTMLElement} */ (document.getElementById('count'));
  /** @type {HTMLElement} */ (document.getElementById('pages')).hidden = typed !== '';
  const find = typed === '' ? () => [] : await loadFind();
  // A word that was typed while the search loaded has its own call.
  if (typed !== field.value.trim()) return;
  const links = find(typed).slice(0, 40).map(linkTo);
  list.replaceChildren(...links);
  count.textContent =
    typed === '' ? '' : links.length === 0 ? 'No results. Try other words.' : `${links.length} found`;
}

/** @param {Section} section */
function linkTo({ path, title, heading }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = (document.documentElement.dataset.root ?? '/') + path;
  link.textContent = heading === '' ? title : `${title}: ${heading}`;
  item.append(link);
  return item;
}

/** @type {Promise<Find> | undefined} */
let loading;

/**
 * Loads the search when it is first used. Its parts are scripts, because a page that was opened as a file cannot fetch.
 *
 * @returns {Promise<Find>}
 */
function loadFind() {
  loading ??= (async () => {
    for (const name of ['minisearch.js', 'find.js', 'search.js']) await loadScript(name);
    const { createFind, MiniSearch, siteSearch } = /** @type {any} */ (globalThis);
    return createFind(MiniSearch, siteSearch);
  })();
  return loading;
}

/** @param {string} name */
function loadScript(name) {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error(`${name} cannot be loaded.`)));
    script.src = `${document.documentElement.dataset.root ?? '/'}docs/${name}`;
    document.head.append(script);
  });
}

/** Adds a button to every example. Browsers only allow copying on pages that were loaded securely. */
function startCopyButtons() {
  if (!navigator.clipboard) return;
  for (const example of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('main pre'))) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(example.textContent ?? '');
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    const place = document.createElement('div');
    place.className = 'example';
    example.replaceWith(place);
    place.append(example, button);
  }
}
