import type { Operation } from '../Operation.ts';

/** What was done and refused. */
export const auditOperations: readonly Operation[] = [
  {
    field: 'Query.auditEvents',
    source: 'audit:read; nobody of another installation',
    rule: { kind: 'holds any', permissions: ['audit:read'] },
    routes: { 'GET /api/v1/admin/audit-events': 200 },
    selection: 'nodes { id actor { id } target { id } } pageInfo { endCursor }',
    cases: [
      { call: () => ({ variables: { first: 100 }, query: { limit: '100' } }) },
      {
        name: 'of one person',
        call: ({ world }) => ({
          variables: { actor: world.ids.buyer, result: 'DENIED' },
          query: { actor: world.ids.buyer, result: 'denied' },
        }),
        check: (data, { world }) => {
          const actors = new Set((data.nodes ?? data.data).map((event: any) => event.actor.id));
          expect([...actors].filter((id) => id !== world.ids.buyer)).toEqual([]);
        },
      },
    ],
    check: (data, { world }) => {
      const text = JSON.stringify(data);
      expect(text).not.toContain(world.ids.foreigner);
      expect(text).not.toContain(world.items.dealerElsewhere.id);
    },
  },
];
