/*
 * What runs in the browser on every page of the documentation. Every function is sent as it stands here, without its
 * types, so it may use nothing but the others, the browser, and what the page says in its attributes.
 */

/** As `SearchEntry` of the site; `search.js` brings them. */
interface Entry {
  path: string;
  title: string;
  words: string;
  headings: [id: string, text: string][];
}

declare global {
  // Set by `search.js`.
  var siteEntries: Entry[] | undefined;
}

/** Light, dark, or as the system is; runs before anything is painted. */
function applyTheme(): void {
  let theme = '';
  try {
    theme = localStorage.getItem('theme') ?? '';
  } catch {
    // A browser that keeps nothing for this page shows it as the system is.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { dataset, classList } = document.documentElement;
  dataset.theme = theme === 'dark' || theme === 'light' ? theme : 'system';
  // The word that Swagger UI knows.
  classList.toggle('dark-mode', dark);
}

function startSite(): void {
  moveOldAddresses();
  const button = document.getElementById('theme') as HTMLButtonElement;
  button.hidden = false;
  showTheme(button);
  button.addEventListener('click', () => {
    const order = ['system', 'light', 'dark'];
    const next = order[(order.indexOf(document.documentElement.dataset.theme ?? '') + 1) % 3] ?? 'system';
    try {
      localStorage.setItem('theme', next);
    } catch {
      // Then for this page only.
    }
    applyTheme();
    document.documentElement.dataset.theme = next;
    showTheme(button);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
  const menu = document.getElementById('menu') as HTMLDetailsElement | null;
  if (!menu) return;
  menu.open = matchMedia('(min-width: 56rem)').matches;
  const field = document.getElementById('find') as HTMLInputElement;
  (field.parentElement as HTMLElement).hidden = false;
  field.addEventListener('input', () => void findPages(field));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = '';
    void findPages(field);
  });
}

/** Links of earlier days lead to the explorer at `/docs`. */
function moveOldAddresses(): void {
  const { pathname, hash, search } = location;
  if (pathname !== '/docs' || !(hash.startsWith('#/') || search.startsWith('?of='))) return;
  location.replace(`/docs/rest${search}${hash}`);
}

function showTheme(button: HTMLButtonElement): void {
  button.textContent = `Colours: ${document.documentElement.dataset.theme}`;
}

/** Pages and headings that hold every word that is typed, in place of the list of pages. */
async function findPages(field: HTMLInputElement): Promise<void> {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const list = document.getElementById('found') as HTMLElement;
  const count = document.getElementById('count') as HTMLElement;
  (document.getElementById('pages') as HTMLElement).hidden = words.length > 0;
  const entries = words.length > 0 ? await loadEntries() : [];
  // What was typed meanwhile has its own answer.
  if (words.join(' ') !== field.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ')) return;
  const links = entries.flatMap((entry) => linksOf(entry, words)).slice(0, 40);
  list.replaceChildren(...links);
  count.textContent =
    words.length === 0 ? '' : links.length === 0 ? 'Nothing has these words.' : `${links.length} found`;
}

function linksOf({ path, title, words: more, headings }: Entry, words: string[]): HTMLElement[] {
  const root = document.documentElement.dataset.root ?? '/';
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const places: [address: string, text: string][] = holds(`${title} ${more}`) ? [[path, title]] : [];
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

/** Loads what is searched when somebody begins to. A script, because files that are opened without a server have no other way. */
function loadEntries(): Promise<Entry[]> {
  if (globalThis.siteEntries) return Promise.resolve(globalThis.siteEntries);
  return new Promise((resolve) => {
    const script = document.createElement('script');
    const done = () => resolve(globalThis.siteEntries ?? []);
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    script.src = `${document.documentElement.dataset.root ?? '/'}docs/search.js`;
    document.head.append(script);
  });
}

const functions = [startSite, moveOldAddresses, showTheme, findPages, linksOf, loadEntries];

/** Runs in the head of every page, before it is painted. */
export const themeScript = `'use strict';\n${String(applyTheme)}\napplyTheme();\n`;

/** Runs behind every page. */
export const siteScript = `'use strict';\n${functions.map(String).join('\n\n')}\n\nstartSite();\n`;
