import { build } from 'esbuild';
import { serverAudits } from 'graphql-http';
import { runProgram } from '../../test/support/runProgram.ts';
import { startProgram } from '../../test/support/startProgram.ts';
import { serveSubgraphs } from '../execution/fixture/federationFixture.ts';
import { library, type OpenRouter, openRouter, urlArguments, writeSupergraph } from './fixture.ts';

const subgraphs = await serveSubgraphs(library);
const supergraph = await writeSupergraph(library.supergraphSdl);
const args = ['--supergraph', supergraph.file, '--port', '0', ...urlArguments(subgraphs.urls)];
const join = '{ person(id: "1") { name books { title } } }';
const joined = { data: { person: { name: 'Ada', books: [{ title: 'Notes' }] } } };

let router: OpenRouter;
const closing: (() => unknown)[] = [];
/** Opens a router with further arguments, which is closed after the test. */
async function openWith(...further: string[]): Promise<OpenRouter> {
  const opened = await openRouter([...args, ...further]);
  closing.push(() => opened.close());
  return opened;
}
async function write(text: string): Promise<string> {
  const { file, remove } = await writeSupergraph(text);
  closing.push(remove);
  return file;
}

beforeAll(async () => {
  router = await openRouter(args);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await router.close();
  await subgraphs.close();
  await supergraph.remove();
});

describe('a router of a foreign supergraph', () => {
  test('is started by one command and joins its subgraphs', async () => {
    const program = await startProgram('router', 'start/standalone.ts', {}, args);
    try {
      const response = await fetch(`${program.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: join }),
      });
      expect(await response.json()).toEqual(joined);
      expect((await fetch(`${program.url}/health/ready`)).status).toBe(200);
    } finally {
      expect(await program.stop()).toBe(0);
    }
  });

  test('contains no code of this product', async () => {
    const { metafile } = await build({
      entryPoints: ['start/standalone.ts'],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'silent',
    });
    const own = Object.keys(metafile.inputs);
    // How streams are written and servers leave is HTTP, and nothing of this product.
    expect(own.filter((file) => file.startsWith('subgraphs/'))).toEqual([
      'subgraphs/platform/http/EventStreams.ts',
      'subgraphs/platform/http/drainServer.ts',
      'subgraphs/platform/http/dropStalledReaders.ts',
    ]);
    expect(own.filter((file) => /^(?:schema|rest-facade|embedded-db)\//.test(file))).toEqual([]);
    const packages = own.flatMap((file) => metafile.inputs[file]?.imports.map(({ path }) => path) ?? []);
    expect(packages.filter((name) => /mongo/.test(name))).toEqual([]);
    expect(packages).toContain('graphql');
  });

  test('forwards the authorization of the caller and no other header', async () => {
    subgraphs.seen.length = 0;
    await router.ask('{ books { title } }', {
      headers: { authorization: 'Bearer x', cookie: 'a=b', 'x-own': '1' },
    });
    const [seen] = subgraphs.seen;
    expect([seen?.authorization, seen?.cookie, seen?.['x-own']]).toEqual(['Bearer x', undefined, undefined]);
  });

  test('forwards the stated headers in place of the authorization', async () => {
    const other = await openWith('--forward-header', 'X-Own', '--forward-header', 'cookie');
    subgraphs.seen.length = 0;
    await other.ask(join, { headers: { authorization: 'Bearer x', cookie: 'a=b', 'x-own': '1' } });
    expect(subgraphs.seen).toHaveLength(2);
    for (const seen of subgraphs.seen)
      expect([seen['x-own'], seen.cookie, seen.authorization]).toEqual(['1', 'a=b', undefined]);
  });

  test('serves an explorer on request, from its own files', async () => {
    expect((await fetch(router.url)).status).toBe(404);
    const other = await openWith('--graphiql');
    const page = await (await fetch(other.url)).text();
    for (const [, address] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const file = await fetch(other.url + address);
      expect([address, file.status, (await file.text()).length > 50]).toEqual([address, 200, true]);
    }
    expect((await fetch(`${other.url}/explorer/../package.json`)).status).toBe(404);
  });

  test.each([
    ['a mutation by GET', '?query=mutation{rename(id:"1",name:"x"){id}}', { method: 'GET' }, 405],
    ['a form', '', { method: 'POST', body: new URLSearchParams({ query: join }) }, 415],
    ['plain text', '', { method: 'POST', body: `{"query":"{ books { title } }"}` }, 415],
    ['a body of 2 MB', '', { method: 'POST', body: 'x'.repeat(2_000_000) }, 413],
    ['another method', '', { method: 'DELETE' }, 405],
  ])('refuses %s', async (_, search, init: RequestInit, status) => {
    const headers =
      typeof init.body === 'string' && status === 413 ? { 'content-type': 'application/json' } : {};
    const response = await fetch(`${router.url}/graphql${search}`, { ...init, headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: expect.any(String) as string } }],
    });
  });

  test('refuses requests beyond its limit of concurrent ones with Retry-After', async () => {
    const other = await openWith('--max-requests', '1');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${other.url}/graphql?query=${encodeURIComponent(join)}`)),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(await refused[0]?.json()).toMatchObject({ errors: [{ extensions: { code: 'OVERLOADED' } }] });
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await other.ask(join)).toEqual(joined);
  });

  test('planning continues when the client that began it disconnects', async () => {
    const query = '{ people { name books { title } } }';
    const { engine } = router.standalone.live.parts;
    const { prepareAsync } = engine;
    const gone = new AbortController();
    const begun = new Promise<void>((planning) => {
      Object.assign(engine, {
        prepareAsync: (...asked: Parameters<typeof prepareAsync>) => {
          planning();
          return prepareAsync(...asked);
        },
      });
    });
    const first = fetch(`${router.url}/graphql?query=${encodeURIComponent(query)}`, { signal: gone.signal });
    const left = first.catch((error: Error) => error.name);
    await begun;
    gone.abort();
    expect(await left).toBe('AbortError');
    const people = [
      { name: 'Ada', books: [{ title: 'Notes' }] },
      { name: 'Bob', books: [] },
    ];
    // This one waits for the planning that the other has begun, the next one finds it.
    for (let round = 0; round < 2; round++) expect(await router.ask(query)).toEqual({ data: { people } });
    Object.assign(engine, { prepareAsync });
  });

  test('applies the stated limits to operations', async () => {
    const other = await openWith('--limit', 'depth=2', '--no-introspection');
    expect(await other.ask(join)).toMatchObject({
      errors: [{ message: expect.stringContaining('3 levels deep') as string }],
    });
    expect(await other.ask('{ __schema { queryType { name } } }')).toHaveProperty('errors');
  });

  const audits = serverAudits({ url: () => `${router.url}/graphql`, fetchFn: fetch });
  test.each(audits.map((audit) => [audit.name, audit] as const))(
    'GraphQL over HTTP: %s',
    async (_, audit) => {
      const result = await audit.fn();
      expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
    },
  );
});

describe('a supergraph that cannot be served', () => {
  const { supergraphSdl } = library;
  const withLink = (link: string) =>
    supergraphSdl.replace('@link(url: "https://specs.apollo.dev/join', `${link}\n  $&`);

  test.each([
    ['no file', null, /^There is no file ".*missing"\.$/],
    ['no GraphQL', 'type {', /is no GraphQL: Syntax Error/],
    ['a schema of one subgraph', 'type Query { a: Int }', /is no supergraph: it has no subgraphs/],
    [
      'contexts',
      withLink('@link(url: "https://specs.apollo.dev/context/v0.1", for: SECURITY)'),
      /uses @context and @fromContext/,
    ],
    [
      'arguments from a context',
      supergraphSdl.replace(
        'books: [Book!] @join__field(graph: BOOKS)',
        'books: [Book!] @join__field(graph: BOOKS, contextArguments: [])',
      ),
      /uses @context and @fromContext/,
    ],
    [
      'guards that no router would enforce',
      withLink('@link(url: "https://specs.apollo.dev/authenticated/v0.1", for: SECURITY)'),
      /^The supergraph uses https:\/\/specs.apollo.dev\/authenticated\/v0.1 for security, which a router must know/,
    ],
  ])('is refused with its reason: %s', async (_, text, reason) => {
    const file = text === null ? `${supergraph.file}.missing` : await write(text);
    const opening = openRouter(['--supergraph', file, ...urlArguments(subgraphs.urls)]);
    await expect(opening).rejects.toThrow(reason);
  });

  test('is refused without addresses, or with an address for an unknown subgraph', async () => {
    const file = await write(supergraphSdl.replaceAll(/http:\/\/\w+\.invalid/g, ''));
    const bare = ['--supergraph', file];
    await expect(openRouter(bare)).rejects.toThrow('The supergraph states no address for "books", "people"');
    const unknown = [...bare, '--subgraph-url', 'nobody=http://localhost'];
    await expect(openRouter(unknown)).rejects.toThrow('The supergraph has no subgraph "nobody".');
  });

  test.each([
    [[], '--supergraph is not given'],
    [['--port', 'x'], '--port is "x"'],
    [['--limit', 'depht=3'], '--limit names "depht"'],
    [['--limit', 'depth'], '--limit is "depth"'],
    [['--forward-header', 'content-length'], '--forward-header is "content-length"'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('ends the program with one line: %j', async (given, line) => {
    const all = given.length === 0 ? [] : ['--supergraph', supergraph.file, ...given];
    const { code, stderr } = await runProgram('start/standalone.ts', all, {});
    expect(code).toBe(1);
    expect(stderr).toContain(`cannot start: ${line}`);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
