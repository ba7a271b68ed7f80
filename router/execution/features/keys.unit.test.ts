import { describeSplit } from '../../../test/support/execution/describeSplit.ts';
import type { Row } from '../../../test/support/execution/splitFixture.ts';

const cars: readonly Row[] = [
  {
    __typename: 'Car',
    vin: 'v1',
    plate: 'BE 1',
    lot: { id: 'l1', row: { no: 1 } },
    make: 'Volvo',
    owner: 'o1',
    price: 10,
    range: 500,
    tags: ['a', 'b'],
    history: ['h1', 'h2'],
  },
  {
    __typename: 'Car',
    vin: 'v2',
    plate: 'BE 2',
    lot: { id: 'l1', row: { no: 2 } },
    make: 'Saab',
    owner: 'o2',
    price: null,
    range: 400,
    tags: [],
    history: [],
  },
  {
    __typename: 'Car',
    vin: 'v3',
    plate: 'BE 1',
    lot: { id: 'l2', row: { no: 1 } },
    make: null,
    owner: null,
    price: 30,
    range: 300,
    tags: null,
    history: ['h3'],
  },
];
const owners: readonly Row[] = [
  { __typename: 'Owner', id: 'o1', country: 'CH', number: 1, name: 'Ada', cars: ['v1'], rating: 5 },
  { __typename: 'Owner', id: 'o2', country: 'DE', number: 1, name: 'Bob', cars: ['v2', 'v3'], rating: null },
];
const checks: readonly Row[] = [
  { __typename: 'Check', id: 'h1', car: 'v1', passed: true, by: 'o2' },
  { __typename: 'Check', id: 'h2', car: 'v1', passed: false, by: 'o1' },
  { __typename: 'Check', id: 'h3', car: 'v3', passed: true, by: null },
];
const car = (vin: unknown) => cars.find((row) => row.vin === vin) ?? null;
const owner = (id: unknown) => owners.find((row) => row.id === id) ?? null;

describeSplit(
  'entity keys',
  {
    subgraphs: {
      stock: `
        type Query { cars: [Car!]! car(vin: ID!): Car firstCars(n: Int = 1): [Car] }
        type Car @key(fields: "vin") @key(fields: "plate lot { id row { no } }") {
          vin: ID! plate: String! lot: Lot! make: String price: Int tags: [String!]
        }
        type Lot { id: ID! row: LotRow! }
        type LotRow { no: Int! }
      `,
      people: `
        type Query { owner(id: ID!): Owner owners: [Owner] }
        type Owner @key(fields: "id") @key(fields: "country number") { id: ID! country: String! number: Int! name: String cars: [Car!] }
        type Car @key(fields: "vin") { vin: ID! owner: Owner }
      `,
      lots: `
        type Car @key(fields: "plate lot { id row { no } }") { plate: String! lot: Lot! range: Int! history: [Check!] }
        type Lot { id: ID! row: LotRow! }
        type LotRow { no: Int! }
        type Check @key(fields: "id") { id: ID! passed: Boolean by: Owner }
        type Owner @key(fields: "id", resolvable: false) { id: ID! }
      `,
      scores: `
        type Query { bestOwner: Owner }
        type Owner @key(fields: "country number") { country: String! number: Int! rating: Int }
        type Check @key(fields: "id") { id: ID! car: Car }
        type Car @key(fields: "vin", resolvable: false) { vin: ID! }
      `,
    },
    rows: [...cars, ...owners, ...checks],
    resolvers: {
      Query: {
        cars: () => cars,
        car: (_, { vin }) => car(vin),
        firstCars: (_, { n }) => [...cars.slice(0, Number(n)), null],
        owner: (_, { id }) => owner(id),
        owners: () => [owners[0], null, owners[1], owners[0]],
        bestOwner: () => owners[0],
      },
      Car: {
        owner: (row) => owner(row.owner),
        history: (row) => (row.history as string[]).map((id) => checks.find((check) => check.id === id)),
      },
      Owner: { cars: (row) => (row.cars as string[]).map(car) },
      Check: { by: (row) => owner(row.by), car: (row) => car(row.car) },
    },
  },
  {
    'an entity is joined by its only key': '{ owner(id: "o1") { name cars { vin make } } }',
    'an entity is joined by the second of two keys': '{ cars { make range } }',
    'an entity is joined by a key with two nested levels': '{ cars { lot { row { no } } range } }',
    'a key that the operation does not select is fetched': '{ car(vin: "v1") { range } }',
    'a key that the operation selects is returned':
      '{ car(vin: "v1") { vin plate lot { id row { no } } range } }',
    'a subgraph with another key is reached through one with both keys':
      '{ owner(id: "o2") { cars { range } } }',
    'a third subgraph is reached through two others':
      '{ owner(id: "o1") { cars { history { passed by { name } } } } }',
    'entities are joined by compound keys': '{ owners { name rating } }',
    'an entity is joined by a compound key and then by a single one':
      '{ bestOwner { rating name cars { make } } }',
    'an entity of a subgraph that cannot resolve it is joined in another one':
      '{ car(vin: "v1") { history { by { name rating } } } }',
    'an entity that occurs twice has the fields selected at each place':
      '{ owners { name } again: owners { rating } }',
    'an entity that is null stays null': '{ car(vin: "v3") { owner { name rating } range } }',
    'an entity that does not exist is null': '{ car(vin: "v9") { range } owner(id: "o9") { rating } }',
    'null items of a list of entities keep their positions':
      '{ owners { id rating } firstCars(n: 2) { range } }',
    'an empty list of entities causes no request': '{ car(vin: "v2") { history { id car { make } } } }',
    'a cycle of entities is resolved to the selected depth':
      '{ owner(id: "o2") { cars { owner { cars { owner { rating } } } } } }',
    'lists of entities within lists of entities': '{ owners { cars { history { passed car { range } } } } }',
    'an entity with only its key is completed by two subgraphs':
      '{ cars { history { car { make range owner { name } } } } }',
    'aliases that swap key members do not change the join':
      '{ cars { plate: vin vin: plate lot { id: row { no } } range } }',
    'a key member and another field under its name':
      '{ cars { vin id: vin owner { country: name number } } }',
    'null fields beside joined ones': '{ cars { make price tags range } }',
    'entities of two types with keys of the same form': '{ cars { history { id } owner { id } } }',
    'variables reach root fields before the join': [
      'query ($vin: ID!, $n: Int) { car(vin: $vin) { range } firstCars(n: $n) { owner { rating } } }',
      { vin: 'v3', n: 3 },
    ],
    'a default argument reaches the subgraph': '{ firstCars { make range } }',
  },
);
