import { createServer } from 'node:http';
import pino from 'pino';
import { listenLocally } from '../../../../../../test/support/servers/listenLocally.ts';
import { isAway, isMissing, SearchEngine } from './SearchEngine.ts';

const secret = 'text-of-a-listing';

/** Fails a write of the engine at an address, and returns the error with its line in the log. */
async function failedWrite(node: string): Promise<{ error: unknown; line: string }> {
  const engine = new SearchEngine({ nodes: [node], alias: 'catalog' });
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  try {
    await engine.administer((client) => client.bulk({ index: 'catalog', body: `${secret}\n` as never }));
  } catch (err) {
    log.warn({ err }, 'failed');
    return { error: err, line: lines.join('') };
  } finally {
    await engine.close();
  }
  throw new Error('The write did not fail.');
}

test('an engine that is away is logged without the sent documents and without the password of its address', async () => {
  const { error, line } = await failedWrite('http://catalog:pass-of-the-engine@127.0.0.1:1');
  expect(isAway(error)).toBe(true);
  expect(line).toContain('ECONNREFUSED');
  expect(line).not.toContain(secret);
  expect(line).not.toContain('pass-of-the-engine');
});

test('a refused write keeps its status, and is logged without the sent documents', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"type":"index_not_found_exception","reason":"no such index"},"status":404}');
    });
  });
  const { url, close } = await listenLocally(server);
  const { error, line } = await failedWrite(url);
  await close();
  expect([isMissing(error), isAway(error)]).toEqual([true, false]);
  expect(line).toContain('index_not_found_exception');
  expect(line).not.toContain(secret);
});
