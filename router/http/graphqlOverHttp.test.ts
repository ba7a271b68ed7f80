import { serverAudits } from 'graphql-http';
import { Agent, fetch } from 'undici';
import { openTestApp, type TestApp } from '../../test/support/openTestApp.ts';

let app: TestApp;
// Names below `localhost` are this machine, whatever its resolver says.
const agent = new Agent({
  connect: { lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
});
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await agent.close();
  await app.close();
});

// The names are known before the address is: an audit asks for it when it runs.
const audits = serverAudits({
  url: () => `http://demo.localhost:${app.port}/graphql`,
  fetchFn: (url: string, init: object) => fetch(url, { ...init, dispatcher: agent }),
});

test('the audit of GraphQL over HTTP has all of its 61 checks', () => {
  expect(audits).toHaveLength(61);
});

test.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (_, audit) => {
  const result = await audit.fn();
  expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
});
