import { serverAudits } from 'graphql-http';
import { Agent, fetch } from 'undici';
import { product } from '../../test/support/product.ts';

const world = product();
let port: number;
// Resolves names below `localhost` without the resolver of the machine, which may not know them.
const agent = new Agent({
  connect: { lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
});
beforeAll(async () => {
  port = await world.stack.port();
});
afterAll(() => agent.close());

// A function, because the port is known only when an audit runs.
const audits = serverAudits({
  url: () => `http://${world.market.installation.hosts[0]}:${port}/graphql`,
  fetchFn: (url: string, init: object) => fetch(url, { ...init, dispatcher: agent }),
});

test('the audit of GraphQL over HTTP has 61 checks', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [audit.name, audit] as const))(
  'the router passes the audit of GraphQL over HTTP: %s',
  async (_, audit) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
  },
);
