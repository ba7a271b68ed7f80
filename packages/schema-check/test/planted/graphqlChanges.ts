import { edit, type Planted, planted } from './Planted.ts';

const items = (from: string, to: string) => edit('items.graphql', [from, to]);
const reviews = (from: string, to: string) => edit('reviews.graphql', [from, to]);

/** Changes of the subgraphs, as clients see them. */
export const graphqlChanges: readonly Planted[] = [
  planted('removes a field that no operation selects', items('  subtitle: String\n', ''), [
    'dangerous field-removed:Item.subtitle',
  ]),
  planted('removes a field that an operation of a manifest selects', items('  weight: Int\n', ''), [
    'breaking document-invalid:operations/manifest.json list',
    'breaking field-removed:Item.weight',
  ]),
  planted('removes a field that a fragment of an operation selects', reviews('rating: Float ', ''), [
    'breaking document-invalid:operations/item.graphql',
    'breaking field-removed:Item.rating',
  ]),
  planted('makes a non-null field nullable', items('title: String!\n', 'title: String\n'), [
    'breaking field-type-changed:Item.title',
  ]),
  planted('changes the scalar of a field', reviews('rating: Float', 'rating: String'), [
    'breaking field-type-changed:Item.rating',
  ]),
  planted('makes a list a single value', items('rows: [String!]!', 'rows: String!'), [
    'breaking field-type-changed:Report.rows',
  ]),
  planted('lets a field be null without an error', items('name: String @semanticNonNull', 'name: String'), [
    'breaking semantic-non-null-removed:Shop.name',
  ]),
  planted(
    'replaces the mark of a field that is null only with an error by a non-null type',
    items('name: String @semanticNonNull', 'name: String!'),
    ['safe field-type-narrowed:Shop.name'],
  ),
  planted(
    'states that a field is null only with an error',
    items('subtitle: String\n', 'subtitle: String @semanticNonNull\n'),
    ['safe semantic-non-null-added:Item.subtitle'],
  ),
  planted('makes a nullable field non-null', items('weight: Int\n', 'weight: Int!\n'), [
    'safe field-type-narrowed:Item.weight',
  ]),
  planted('adds a field', items('  weight: Int\n', '  weight: Int\n  height: Int\n'), [
    'safe field-added:Item.height',
  ]),
  planted(
    'removes a value of an enum that clients send and receive',
    items('PUBLISHED CLOSED', 'PUBLISHED'),
    ['breaking enum-value-removed:State.CLOSED'],
  ),
  planted(
    'adds a value to an enum that clients receive',
    items('PUBLISHED CLOSED', 'PUBLISHED CLOSED SOLD'),
    ['dangerous enum-value-added:State.SOLD'],
  ),
  planted(
    'adds a value to an enum that clients only send',
    items('NEWEST CHEAPEST', 'NEWEST CHEAPEST NEAREST'),
    ['safe enum-value-added:Sort.NEAREST'],
  ),
  planted(
    'deprecates a field',
    items('  subtitle: String\n', '  subtitle: String @deprecated(reason: "Use title.")\n'),
    ['safe deprecation-added:Item.subtitle'],
  ),
  planted('removes a member of a union', items('union Hit = Item | Shop', 'union Hit = Item'), [
    'breaking document-invalid:operations/search.graphql',
    'breaking union-member-removed:Hit.Shop',
  ]),
  planted('adds a member to a union', items('union Hit = Item | Shop', 'union Hit = Item | Shop | Order'), [
    'dangerous union-member-added:Hit.Order',
  ]),
  planted('removes an interface of a type', items('type Shop implements Node', 'type Shop'), [
    'breaking interface-removed:Shop implements Node',
  ]),
  planted(
    'adds a type to an interface',
    items('type Report {', 'type Depot implements Node { id: ID! }\ntype Report {'),
    ['dangerous possible-type-added:Node.Depot'],
  ),
  planted('removes an argument', items('closeItem(id: ID!, reason: String)', 'closeItem(id: ID!)'), [
    'breaking argument-removed:Mutation.closeItem(reason:)',
  ]),
  planted('adds a required argument', items('search(text: String!)', 'search(text: String!, shop: ID!)'), [
    'breaking document-invalid:operations/search.graphql',
    'breaking required-argument-added:Query.search(shop:)',
  ]),
  planted('adds an optional argument', items('search(text: String!)', 'search(text: String!, shop: ID)'), [
    'dangerous optional-argument-added:Query.search(shop:)',
  ]),
  planted('makes an argument non-null', items('reason: String', 'reason: String!'), [
    'breaking argument-type-changed:Mutation.closeItem(reason:)',
  ]),
  planted('makes an argument nullable', items('item(id: ID!)', 'item(id: ID)'), [
    'safe input-type-relaxed:Query.item(id:)',
  ]),
  planted('changes the default of an argument', items('first: Int = 20', 'first: Int = 50'), [
    'dangerous argument-default-changed:Query.items(first:)',
  ]),
  planted('removes the default of a non-null argument', items('year: Int! = 2026', 'year: Int!'), [
    'breaking argument-became-required:Query.orders(year:)',
  ]),
  planted(
    'adds a required member to an input object',
    items('input CreateItem { title: String!', 'input CreateItem { title: String! shop: ID!'),
    ['breaking required-input-field-added:CreateItem.shop'],
  ),
  planted(
    'adds an optional member to an input object',
    items('input CreateItem { title: String!', 'input CreateItem { title: String! shop: ID'),
    ['dangerous optional-input-field-added:CreateItem.shop'],
  ),
  planted('removes the default of a non-null member', items('kind: Kind! = NEW', 'kind: Kind!'), [
    'breaking input-field-became-required:CreateItem.kind',
  ]),
  planted(
    'removes a member of an input object that a variable can contain',
    items('minimum: Int maximum: Int', 'minimum: Int'),
    ['breaking field-removed:ItemFilter.maximum'],
  ),
  planted('turns an enum into a scalar', items('enum Kind { NEW USED }', 'scalar Kind'), [
    'breaking type-kind-changed:Kind',
  ]),
  planted(
    'declares a field in two subgraphs that is not shareable',
    reviews('rating: Float', 'rating: Float title: String!'),
    ['breaking composition-failed:schema-check.json'],
  ),
];
