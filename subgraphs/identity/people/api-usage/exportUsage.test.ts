import { parseUsage } from '../../../../packages/schema-check/src/usage/readUsage.ts';
import { defaultRules } from '../../../../packages/schema-check/src/usage/Usage.ts';
import { product } from '../../../../test/support/product.ts';
import { exportUsage } from './exportUsage.ts';

const { market, stack, neighbour } = product();
const dayMs = 86_400_000;

test('the export contains the use of each day with names of API clients, as schema checks read it', async () => {
  const dealer = await market.dealer();
  const { apiClient } = await dealer.owner.createDealerApiClient({
    dealerId: dealer.id,
    name: 'Stock system',
    scopes: ['listings:read'],
  });
  const elsewhere = await neighbour();
  const operation = { hash: 'a1', name: 'listings', coordinates: ['Query.listings'] };
  const nowMs = Date.now();
  const today = Math.floor(nowMs / dayMs) * dayMs;
  for (const [atMs, client, installation] of [
    [today, 'web', market],
    [today, 'web', market],
    [today - dayMs, apiClient.id, market],
    [today - 3 * dayMs, 'web', market],
    [today, 'web', elsewhere],
  ] as const) {
    stack.advance(atMs - stack.platform.now());
    const { id: installationId } = installation.installation;
    const isNamed = client === 'web';
    stack.platform.usage?.count({
      installationId,
      client,
      isNamed,
      route: undefined,
      operation,
      isKnown: true,
    });
  }
  await stack.platform.usage?.flush();
  stack.resetClock();
  const lines: object[] = [];
  for await (const line of exportUsage(market.installation.id, { days: 2, nowMs })) lines.push(line);
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const counted = { installation: market.installation.id, operation: 'a1', lastUsedAt: expect.any(Date) };
  expect(lines).toEqual([
    { operation: 'a1', name: 'listings', coordinates: ['Query.listings'] },
    { ...counted, day: dayOf(today - dayMs), client: apiClient.id, clientName: 'Stock system', count: 1 },
    { ...counted, day: dayOf(today), client: 'web', clientName: null, count: 2 },
  ]);
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(parseUsage(text, 'usage.jsonl', { rules: defaultRules, nowMs })).toMatchObject({
    recordedDays: 2,
    operations: [
      {
        operation: 'a1',
        coordinates: ['Query.listings'],
        uses: [
          { client: 'Stock system', count: 1 },
          { client: 'web', count: 2 },
        ],
      },
    ],
  });
});
