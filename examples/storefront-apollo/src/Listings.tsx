import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { type Card, type Facet, type Image, type Money, SAVED, SEARCH } from './operations.ts';

/** Facets of the list, with their headings. */
const facets: Record<string, string> = { make: 'Maker', bodyType: 'Body', fuel: 'Fuel' };

type Choices = Record<string, readonly string[]>;

/** The cars that match a search, with its facets. */
export function Listings() {
  const [q, setQ] = useState('');
  const [choices, setChoices] = useState<Choices>({});
  const attributes = Object.entries(choices).flatMap(([name, values]) =>
    values.length > 0 ? [{ name, values: [...values] }] : [],
  );
  const variables = { q: q || null, attributes, facets: Object.keys(facets) };
  const { data, previousData, error, fetchMore } = useQuery(SEARCH, { variables });
  const shown = data ?? previousData;
  if (error) return <p role="alert">{error.message}</p>;
  if (!shown) return <p>Loading …</p>;
  const { catalogListings: found, catalogFacets } = shown;
  const { hasNextPage, endCursor } = found.pageInfo;
  const more = () =>
    fetchMore({
      variables: { after: endCursor ?? undefined },
      updateQuery: (earlier, { fetchMoreResult }) => ({
        ...fetchMoreResult,
        catalogListings: {
          ...fetchMoreResult.catalogListings,
          nodes: [...earlier.catalogListings.nodes, ...fetchMoreResult.catalogListings.nodes],
        },
      }),
    });
  return (
    <div className="layout">
      <aside>
        <form action={(values) => setQ(String(values.get('q') ?? ''))}>
          <label>
            Search <input name="q" type="search" defaultValue={q} />
          </label>
          <button type="submit">Search</button>
        </form>
        {catalogFacets.facets.map((facet) => (
          <FacetBoxes key={facet.name} facet={facet} choices={choices} onChange={setChoices} />
        ))}
      </aside>
      <section>
        <h1>{found.totalCountText} cars</h1>
        <Cards cards={found.nodes} />
        {hasNextPage && (
          <button type="button" onClick={() => void more()}>
            More cars
          </button>
        )}
      </section>
    </div>
  );
}

/** A facet as a list of boxes. Several values of one facet are alternatives. */
function FacetBoxes({
  facet: { name, buckets },
  choices,
  onChange,
}: {
  facet: Facet;
  choices: Choices;
  onChange: (choices: Choices) => void;
}) {
  const chosen = choices[name] ?? [];
  const toggle = (value: string) =>
    onChange({
      ...choices,
      [name]: chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
    });
  return (
    <fieldset>
      <legend>{facets[name]}</legend>
      {buckets.slice(0, 8).map(({ value, count }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} /> {value} (
          {count})
        </label>
      ))}
    </fieldset>
  );
}

/** The saved cars of the user. */
export function Saved() {
  const { data, error } = useQuery(SAVED, { fetchPolicy: 'cache-and-network' });
  if (error) return <p role="alert">{error.message}</p>;
  const saved = data?.myFavorites.nodes ?? [];
  return (
    <section>
      <h1>{saved.length} saved cars</h1>
      <Cards cards={saved.flatMap(({ listing }) => (listing ? [listing] : []))} />
    </section>
  );
}

function Cards({ cards }: { cards: readonly Card[] }) {
  return (
    <ul className="cards">
      {cards.map(({ id, title, price, cover }) => (
        <li key={id}>
          <a href={`#/cars/${id}`}>
            <Picture image={cover} />
            <div>{title}</div>
          </a>
          <div className="price">{money(price)}</div>
        </li>
      ))}
    </ul>
  );
}

/** An image in the size that fits. */
export function Picture({ image }: { image: Image | null }) {
  const jpegs = (image?.renditions ?? []).filter(({ format }) => format === 'JPEG');
  const srcSet = jpegs.map(({ url, width }) => `${url} ${width}w`).join(', ');
  return (
    <img alt={image?.altText ?? ''} loading="lazy" srcSet={srcSet} sizes="(min-width: 50rem) 40vw, 100vw" />
  );
}

/** Returns an amount of minor units as text. */
export function money(price: Money | null): string {
  if (!price) return 'Price on request';
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency: price.currency });
  return format.format(price.amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
