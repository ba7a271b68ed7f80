import { edit, type Planted, planted } from './Planted.ts';

const items = (from: string, to: string) => edit('items.graphql', [from, to]);

/** Changes of guards. */
export const guardChanges: readonly Planted[] = [
  planted('deletes the guard of a root field', items('[Hit!]! @public', '[Hit!]!'), [
    'breaking guard-missing:Query.search',
  ]),
  planted('adds a root field without a guard', items('type Mutation {', 'type Mutation {\n  reset: Int'), [
    'breaking guard-missing:Mutation.reset',
  ]),
  planted('requires a token for a public field', items('[Hit!]! @public', '[Hit!]! @authenticated'), [
    'breaking guard-stricter:Query.search',
  ]),
  planted('publishes a field', items('@policy(policies: [["staff"]])', '@public'), [
    'breaking guard-opened:Query.report',
  ]),
  planted('requires a further scope', items('[["orders:read"]]', '[["orders:read", "audit"]]'), [
    'breaking guard-stricter:Query.orders',
  ]),
  planted('requires one scope less', items('[["items:write", "items:read"]]', '[["items:write"]]'), [
    'breaking guard-looser:Mutation.createItem',
  ]),
  planted('accepts an alternative scope', items('[["orders:read"]]', '[["orders:read"], ["support"]]'), [
    'breaking guard-looser:Query.orders',
  ]),
  planted(
    'admits each signed-in user instead of the owner',
    items('@owner(type: "Item")', '@authenticated'),
    ['breaking guard-looser:Mutation.closeItem', 'breaking guard-stricter:Mutation.closeItem'],
  ),
  planted('requires the owner of another type', items('@owner(type: "Item")', '@owner(type: "Shop")'), [
    'breaking guard-looser:Mutation.closeItem',
    'breaking guard-stricter:Mutation.closeItem',
  ]),
  planted('guards a nested field', items('  weight: Int\n', '  weight: Int @authenticated\n'), [
    'breaking guard-stricter:Item.weight',
  ]),
  planted('deletes the guard of a nested field', items('note: String @authenticated', 'note: String'), [
    'breaking guard-opened:Item.note',
  ]),
  planted(
    'guards a nested field that its type guards already',
    items('buyer: String', 'buyer: String @authenticated'),
    [],
  ),
  planted(
    'deletes the guard of a type',
    items('type Order implements Node @authenticated', 'type Order implements Node'),
    ['breaking guard-opened:Order'],
  ),
  planted(
    'adds a root field with a guard',
    items('type Mutation {', 'type Mutation {\n  reset: Int @authenticated'),
    ['safe field-added:Mutation.reset'],
  ),
];
