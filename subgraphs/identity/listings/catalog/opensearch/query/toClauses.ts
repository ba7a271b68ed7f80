import type { AttributeCondition, IndexQuery } from '../../columns/query.ts';
import type { Clause } from '../engine/indexOf.ts';

/** A condition of a query, with the member that it is on; the facet of this member ignores it. */
export interface MemberClause {
  readonly member: string;
  readonly clause: Clause;
}

/**
 * Returns the condition that a listing is public at a time. It is the same for a whole second, so that the engine answers
 * equal searches of a second from its cache. An expired listing is found for up to a second, but never shown.
 */
export function shownAt(now: number): Clause[] {
  const second = now - (now % 1000);
  return [{ term: { withdrawn: { value: false } } }, { range: { expiresAt: { gt: second } } }];
}

/** Returns all conditions of a query except its words, as `toRowConditions` does for the embedded index. */
export function toClauses(query: IndexQuery): MemberClause[] {
  const { categoryId, currency, priceMin, priceMax, publishedAfter, publishedUntil, exceptSeller } = query;
  const after = publishedAfter ? publishedAfter.getTime() + 1 : null;
  return [
    ...oneOf('categoryId', categoryId === null ? [] : [categoryId]),
    ...oneOf('sellerId', query.dealerIds),
    ...oneOf('condition', query.conditions),
    ...oneOf('priceType', query.priceTypes),
    ...oneOf('sellerType', query.sellerTypes),
    ...oneOf('currency', currency === null ? [] : [currency]),
    ...between('price', 'price', priceMin, priceMax),
    ...between('publishedAt', 'publishedAt', after, publishedUntil?.getTime() ?? null),
    ...(exceptSeller === undefined
      ? []
      : [
          {
            member: 'sellerId',
            clause: { bool: { must_not: [{ term: { sellerId: { value: exceptSeller } } }] } },
          },
        ]),
    ...(typeof query.withImages === 'boolean'
      ? [{ member: 'hasImages', clause: { term: { hasImages: { value: query.withImages } } } }]
      : []),
    ...placeClauses(query),
    ...query.attributes.flatMap(attributeClauses),
  ];
}

/** Returns the field of an attribute's texts, `attributes.s_fuel` for `attributes.fuel`. */
export function textField(member: string): string {
  return member.replace(/^attributes\./, 'attributes.s_');
}

/** Returns the field of an attribute's numbers, `attributes.n_mileageKm` for `attributes.mileageKm`. */
export function numberField(member: string): string {
  return member.replace(/^attributes\./, 'attributes.n_');
}

/** Returns the condition that a listing has one of these values; no condition if the list is empty. */
export function oneOf(member: string, values: readonly string[]): MemberClause[] {
  return values.length === 0 ? [] : [{ member, clause: { terms: { [member]: [...values] } } }];
}

function between(member: string, field: string, min: number | null, max: number | null): MemberClause[] {
  if (min === null && max === null) return [];
  const range = { ...(min !== null && { gte: min }), ...(max !== null && { lte: max }) };
  return [{ member, clause: { range: { [field]: range } } }];
}

function placeClauses({ near, bounds }: IndexQuery): MemberClause[] {
  const clauses: MemberClause[] = [];
  if (bounds) {
    const { south, west, north, east } = bounds;
    clauses.push(...between('place', 'lat', south, north));
    if (west <= east) clauses.push(...between('place', 'lng', west, east));
    else {
      const should = [{ range: { lng: { gte: west } } }, { range: { lng: { lte: east } } }];
      clauses.push({ member: 'place', clause: { bool: { should } } });
    }
  }
  if (near) {
    const place = { lat: near.lat, lon: near.lng };
    clauses.push({
      member: 'place',
      clause: { geo_distance: { distance: `${near.radiusKm}km`, place } },
    });
  }
  return clauses;
}

function attributeClauses({ name, values, all, min, max }: AttributeCondition): MemberClause[] {
  const member = `attributes.${name}`;
  const each = [...(values.length > 0 ? [values] : []), ...all.map((value) => [value])];
  return [
    ...each.map((wanted) => equalTo(member, wanted)),
    ...between(member, numberField(member), min, max),
  ];
}

/** Compares values by their text, because an attribute can hold numbers in one category and texts in another. */
function equalTo(member: string, texts: readonly string[]): MemberClause {
  const byText: Clause = { terms: { [textField(member)]: [...texts] } };
  const numbers = texts
    .map(Number)
    .filter((value) => Number.isFinite(value) && texts.includes(String(value)));
  if (numbers.length === 0) return { member, clause: byText };
  return { member, clause: { bool: { should: [byText, { terms: { [numberField(member)]: numbers } }] } } };
}
