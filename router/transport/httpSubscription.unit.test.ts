import { createServer, type Server } from 'node:http';
import { parse } from 'graphql';
import { listenLocally } from '../../test/support/servers/listenLocally.ts';
import { createHttpTransport } from './httpTransport.ts';
import type { SubgraphEvents, Transport } from './Transport.ts';

const text = 'subscription { tick }';
const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Returns the results that a router reads from a subgraph that answers a subscription with these chunks and ends. */
async function resultsOf(chunks: readonly (string | Buffer)[], maxAnswerBytes?: number): Promise<unknown[]> {
  const server: Server = createServer(async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) {
      response.write(chunk);
      await new Promise(setImmediate);
    }
    response.end();
  });
  const local = await listenLocally(server);
  open.push(local.close);
  const transport: Transport = createHttpTransport({
    name: 'ticks',
    url: `${local.url}/graphql`,
    headers: () => ({}),
    timeoutMs: 5000,
    ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
  });
  open.push(() => transport.close?.());
  const begun = await transport.compileSubscription?.(parse(text), text)({}, {});
  const results: unknown[] = [];
  for await (const result of begun as SubgraphEvents) results.push(result);
  return results;
}

const frames = [
  ': heartbeat',
  '',
  'event: next',
  'data: {"data":{"tick":1}}',
  '',
  'event:next',
  'data: {"data":',
  'data: {"tick":"é"}}',
  '',
  'event: complete',
  'data:',
  '',
  'event: next',
  'data: {"data":{"tick":3}}',
  '',
  '',
];

describe('a subscription over HTTP', () => {
  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])(
    'delivers the events up to the complete event from a subgraph that ends lines with %s',
    async (_, lineEnd) => {
      const whole = frames.join(lineEnd);
      const expected = [{ data: { tick: 1 } }, { data: { tick: 'é' } }];
      expect(await resultsOf([whole])).toEqual(expected);
      const bytes = Array.from(Buffer.from(whole), (byte) => Buffer.of(byte));
      expect(await resultsOf(bytes)).toEqual(expected);
    },
  );

  test('ends at an event that is longer than the maximum answer', async () => {
    const long = `event: next\ndata: {"data":{"tick":"${'x'.repeat(2000)}`;
    expect(await resultsOf(['event: next\ndata: {"data":{"tick":1}}\n\n', long, '"}}\n\n'], 1000)).toEqual([
      { data: { tick: 1 } },
    ]);
  });
});
