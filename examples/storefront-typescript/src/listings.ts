import { type components, dataOf } from '@trigate/client';
import { client } from './client.ts';
import { conversationOf } from './conversation.ts';
import { el, form, money } from './dom.ts';

type Listing = components['schemas']['CatalogListingInCatalogListings'];
type Image = components['schemas']['CatalogImage'];

/** Facets of the list, with their headings. */
const facets = { make: 'Maker', bodyType: 'Body', fuel: 'Fuel' } as const;

/** The cars that match a query, as `?q=volvo&attr.make=volvo`, with their facets. */
export async function listPage(_signal: AbortSignal, query: string): Promise<Node> {
  const parameters = new URLSearchParams(query);
  const conditions = Object.fromEntries(parameters) as Record<string, string>;
  const [found, counted] = await Promise.all([
    dataOf(
      client.rest.GET('/api/v1/catalog/listings', {
        params: { query: { limit: 24, count: true, ...conditions } },
      }),
    ),
    dataOf(
      client.rest.GET('/api/v1/catalog/facets', {
        params: { query: { ...without(conditions, 'cursor'), facets: Object.keys(facets) } },
      }),
    ),
  ]);
  const { nextCursor } = found.page;
  const next = new URLSearchParams({ ...conditions, cursor: nextCursor ?? '' });
  return el(
    'div',
    { className: 'layout' },
    el('aside', {}, searchForm(conditions), ...counted.facets.map((facet) => facetOf(facet, conditions))),
    el(
      'section',
      {},
      el('h1', {}, `${found.meta.totalCount} cars`),
      cards(found.data),
      nextCursor !== null && el('a', { href: `#/?${next}` }, 'Next page'),
    ),
  );
}

function searchForm(conditions: Record<string, string>): Node {
  const field = el('input', { name: 'q', type: 'search', value: conditions.q ?? '' });
  return form(
    async (values) => go({ ...without(conditions, 'cursor'), q: String(values.get('q') ?? '') }),
    el('label', {}, 'Search', field),
    el('button', {}, 'Search'),
  );
}

/** A facet as a list of boxes. Several values of one facet are alternatives. */
function facetOf(
  { name, buckets }: components['schemas']['CatalogFacet'],
  conditions: Record<string, string>,
): Node {
  const key = `attr.${name}`;
  const chosen = new Set((conditions[key] ?? '').split(',').filter((value) => value !== ''));
  const boxes = buckets.slice(0, 8).map(({ value, count }) => {
    const box = el('input', { type: 'checkbox', checked: chosen.has(value) });
    box.addEventListener('change', () => {
      if (box.checked) chosen.add(value);
      else chosen.delete(value);
      go({ ...without(conditions, 'cursor'), [key]: [...chosen].join(',') });
    });
    return el('label', {}, box, ` ${value} (${count})`);
  });
  return el('fieldset', {}, el('legend', {}, facets[name as keyof typeof facets] ?? name), ...boxes);
}

function go(conditions: Record<string, string>): void {
  const query = new URLSearchParams(Object.entries(conditions).filter(([, value]) => value !== ''));
  location.hash = `#/?${query}`;
}

function without(conditions: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _left, ...others } = conditions;
  return others;
}

function cards(listings: readonly Listing[]): Node {
  return el(
    'ul',
    { className: 'cards' },
    ...listings.map(({ id, title, price, cover }) =>
      el(
        'li',
        {},
        el('a', { href: `#/cars/${id}` }, picture(cover), el('div', {}, title)),
        el('div', { className: 'price' }, money(price)),
      ),
    ),
  );
}

function picture(image: Image | null): HTMLImageElement {
  const jpegs = (image?.renditions ?? []).filter(({ format }) => format === 'jpeg');
  return el('img', {
    alt: image?.altText ?? '',
    loading: 'lazy',
    srcset: jpegs.map(({ url, width }) => `${url} ${width}w`).join(', '),
    sizes: '(min-width: 50rem) 40vw, 100vw',
  });
}

/** The page of a car, with the conversation about it for a user who is signed in. */
export async function detailPage(signal: AbortSignal, listingId: string): Promise<Node> {
  const car = await dataOf(
    client.rest.GET('/api/v1/catalog/listings/{listingId}', { params: { path: { listingId } } }),
  );
  const facts = Object.entries(car.attributes as object).map(([name, value]) =>
    el('li', {}, `${name}: ${String(value)}`),
  );
  return el(
    'div',
    { className: 'layout detail' },
    el(
      'section',
      {},
      ...car.images.map(picture),
      el('p', { style: 'white-space: pre-line' } as object, car.description),
    ),
    el(
      'section',
      {},
      el('h1', {}, car.title),
      el('p', { className: 'price' }, money(car.price)),
      client.session.isSignedIn && (await saveButton(listingId)),
      el('ul', {}, ...facts),
      el('h2', {}, car.seller.name),
      client.session.isSignedIn
        ? await conversationOf(listingId, signal)
        : el('p', {}, el('a', { href: '#/sign-in' }, 'Sign in'), ' to save the car and to ask the seller.'),
    ),
  );
}

async function saveButton(listingId: string): Promise<Node> {
  const saved = new Set<string>();
  for await (const favorite of client.each('/api/v1/me/favorites')) saved.add(favorite.listingId);
  const button = el('button', { type: 'button' });
  const show = () => {
    button.textContent = saved.has(listingId) ? 'Saved' : 'Save';
    button.ariaPressed = String(saved.has(listingId));
  };
  button.addEventListener('click', async () => {
    const params = { path: { listingId } };
    if (saved.delete(listingId))
      await dataOf(client.rest.DELETE('/api/v1/me/favorites/{listingId}', { params }));
    else {
      saved.add(listingId);
      await dataOf(client.rest.PUT('/api/v1/me/favorites/{listingId}', { params, body: {} }));
    }
    show();
  });
  show();
  return button;
}

/** The saved cars of the user. */
export async function savedPage(): Promise<Node> {
  const { data } = await dataOf(client.rest.GET('/api/v1/me/favorites'));
  const listings = data.flatMap(({ listing }) => (listing ? [listing as Listing] : []));
  return el('section', {}, el('h1', {}, `${data.length} saved cars`), cards(listings));
}
