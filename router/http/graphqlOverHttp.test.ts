import { serverAudits } from 'graphql-http';
import { Agent, fetch } from 'undici';
import { product } from '../../test/support/product.ts';

const world = product();
let port: number;
// Names below `localhost` are this machine, whatever its resolver says.
const agent = new Agent({
  connect: { lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
});
beforeAll(async () => {
  port = await world.stack.port();
});
afterAll(() => agent.close());

// The names are known before the port is: an audit reads it when it runs.
const audits = serverAudits({
  url: () => `http://${world.market.installation.hosts[0]}:${port}/graphql`,
  fetchFn: (url: string, init: object) => fetch(url, { ...init, dispatcher: agent }),
});

test('the audit of GraphQL over HTTP has all of its 61 checks', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
  const result = await audit.fn();
  expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
});
