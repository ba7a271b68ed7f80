import { once } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';

/** Audit events. */
export const auditOperations: readonly Operation[] = [
  {
    field: 'Query.auditEvents',
    rule: { kind: 'holds any', permissions: ['audit:read'] },
    selection: 'nodes { id actor { id: actorId } target { id: targetId } } pageInfo { endCursor }',
    cases: [
      once(() => ({ variables: { first: 100 }, query: { limit: '100' } })),
      once(
        ({ world: { ids } }) => ({
          variables: { actor: ids.buyer, result: 'DENIED' },
          query: { actor: ids.buyer, result: 'denied' },
        }),
        {
          name: 'of one person',
          check: (data, { world }) => {
            const actors: string[] = (data.nodes ?? data.data).map((event: any) => event.actor.id);
            expect(actors.filter((id) => id !== world.ids.buyer)).toEqual([]);
          },
        },
      ),
    ],
    check: (data, { world }) => {
      const text = JSON.stringify(data);
      expect(text).not.toContain(world.ids.foreigner);
      expect(text).not.toContain(world.items.dealerElsewhere.id);
    },
  },
];
