import { edit, editOpenApi, type Planted, planted } from './Planted.ts';

/** Lines of a ledger: an operation of a client on each of 14 days before 2026-11-28. */
function ledger(
  operation: string,
  coordinates: readonly string[],
  client = 'dealer-sync',
  days = 14,
): string {
  const counts = Array.from({ length: days }, (_, index) => {
    const day = `2026-11-${String(14 + index).padStart(2, '0')}`;
    return { day, client, operation, count: 10, lastUsedAt: `${day}T10:00:00Z` };
  });
  return [{ operation, coordinates }, ...counts].map((line) => JSON.stringify(line)).join('\n');
}

const subtitle = edit('items.graphql', ['  subtitle: String\n', '']);
const closed = edit('items.graphql', ['PUBLISHED CLOSED', 'PUBLISHED']);
const route = editOpenApi(({ paths }) => Reflect.deleteProperty(paths['/items/{id}'], 'delete'));
const other = ['Query.items', 'Item.id'];

/** Changes whose verdict depends on recorded usage, and on the days of deprecations. */
export const usageChanges: readonly Planted[] = [
  planted('removes a field that only the ledger knows', subtitle, ['breaking field-removed:Item.subtitle'], {
    usage: ledger('a', ['Item.subtitle']),
  }),
  planted('removes a field that no client used', subtitle, ['dangerous field-removed:Item.subtitle'], {
    usage: ledger('a', other),
  }),
  planted(
    'removes a field that only an excluded client used',
    subtitle,
    ['dangerous field-removed:Item.subtitle'],
    {
      usage: ledger('a', ['Item.subtitle'], 'uptime-probe'),
      usageRules: { excludeClients: ['uptime-probe'] },
    },
  ),
  planted(
    'removes a field that was used less often than the minimum',
    subtitle,
    ['dangerous field-removed:Item.subtitle'],
    {
      usage: ledger('a', ['Item.subtitle']),
      usageRules: { minimumCount: 141 },
    },
  ),
  planted(
    'removes a field that was last used before the window',
    subtitle,
    ['dangerous field-removed:Item.subtitle'],
    {
      usage: ledger('a', ['Item.subtitle']),
      usageRules: { windowDays: 5 },
      today: '2026-12-20',
    },
  ),
  planted(
    'removes an enum value that no client used',
    closed,
    ['dangerous enum-value-removed:State.CLOSED'],
    { usage: ledger('a', other) },
  ),
  planted(
    'removes an enum value while too few days are recorded',
    closed,
    ['breaking enum-value-removed:State.CLOSED'],
    { usage: ledger('a', other, 'web', 13) },
  ),
  planted(
    'removes an enum value that a variable may contain',
    closed,
    ['breaking enum-value-removed:State.CLOSED'],
    { usage: ledger('a', ['State.*']) },
  ),
  planted(
    'removes an argument that no client sent',
    edit('items.graphql', ['id: ID!, reason: String', 'id: ID!']),
    ['dangerous argument-removed:Mutation.closeItem(reason:)'],
    { usage: ledger('a', other) },
  ),
  planted('removes a route that no client called', route, ['dangerous route-removed:DELETE /items/{id}'], {
    usage: ledger('GET /items', other),
  }),
  planted('removes a route that a client called', route, ['breaking route-removed:DELETE /items/{id}'], {
    usage: ledger('DELETE /items/{id}', other),
  }),
  planted(
    'makes an unused field nullable, which is not a removal',
    edit('items.graphql', ['rows: [String!]!', 'rows: [String!]']),
    ['breaking field-type-changed:Report.rows'],
    { usage: ledger('a', other) },
  ),
  planted(
    'removes a deprecated field before its last day has ended',
    edit('items.graphql', [
      '  oldItems: [Item!]! @public @deprecated(reason: "Use items. Removed after 2027-05-31.")\n',
      '',
    ]),
    ['breaking field-removed:Query.oldItems'],
    { usage: ledger('a', other), today: '2026-11-28' },
  ),
  planted(
    'removes a deprecated field after its last day',
    edit('items.graphql', [
      '  oldItems: [Item!]! @public @deprecated(reason: "Use items. Removed after 2027-05-31.")\n',
      '',
    ]),
    ['dangerous field-removed:Query.oldItems'],
    { today: '2027-06-01' },
  ),
  planted(
    'removes a deprecated field after its last day, which a client still uses',
    edit('items.graphql', ['  code: String @deprecated(reason: "Use id. Removed after 2026-01-31.")\n', '']),
    ['breaking field-removed:Item.code'],
    { usage: ledger('a', ['Item.code']) },
  ),
];
