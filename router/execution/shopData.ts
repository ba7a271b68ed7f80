/** Test support: the rows of the shop. */

export type Row = Readonly<Record<string, unknown>>;

export const users: readonly Row[] = [
  {
    __typename: 'User',
    id: '1',
    email: 'ada@x',
    name: 'Ada',
    level: 'GOLD',
    friends: ['2', '3'],
    home: { city: 'Bern', zip: '3000' },
  },
  {
    __typename: 'User',
    id: '2',
    email: 'bob@x',
    name: null,
    level: 'BASIC',
    friends: ['1', '1'],
    home: null,
  },
  {
    __typename: 'User',
    id: '3',
    email: 'cyd@x',
    name: 'Cyd',
    level: 'GOLD',
    friends: [],
    home: { city: null, zip: '1' },
  },
];
export const products: readonly Row[] = [
  {
    __typename: 'Product',
    upc: 'p1',
    sku: 's1',
    brand: { id: 'b1', name: 'Acme' },
    title: 'Chair',
    price: 30,
    weight: 7,
    tags: [['a', 'b'], [], null],
    maker: '1',
    size: { width: 2, height: 3 },
  },
  {
    __typename: 'Product',
    upc: 'p2',
    sku: 's2',
    brand: { id: 'b1', name: 'Acme' },
    title: 'Desk',
    price: 120,
    weight: null,
    tags: null,
    maker: '2',
    size: null,
  },
  {
    __typename: 'Product',
    upc: 'p3',
    sku: 's1',
    brand: { id: 'b2', name: 'Bolt' },
    title: null,
    price: null,
    weight: 1,
    tags: [['c']],
    maker: '3',
    size: { width: 1, height: 1 },
  },
];
export const bundles: readonly Row[] = [
  { __typename: 'Bundle', id: 'k1', title: 'Office', parts: ['p1', 'p2'], discount: 0.5 },
  { __typename: 'Bundle', id: 'k2', title: 'Rest', parts: ['p3', 'p3'], discount: 0 },
];
export const reviews: readonly Row[] = [
  { __typename: 'Review', id: 'r1', stars: 5, text: 'Good', author: '1', about: 'p1' },
  { __typename: 'Review', id: 'r2', stars: 1, text: null, author: '2', about: 'p1' },
  { __typename: 'Review', id: 'r3', stars: 3, text: 'So so', author: '1', about: 'p2' },
  { __typename: 'Review', id: 'r4', stars: 4, text: 'Fine', author: '3', about: 'p3' },
];
