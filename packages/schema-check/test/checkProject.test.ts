import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeSupergraph } from '../src/compose/composeSupergraph.ts';
import { checkProject } from '../src/project/checkProject.ts';
import { formats } from '../src/report/formats.ts';
import { Project } from './Project.ts';
import { edited, shop } from './shop.ts';

const project = new Project();

beforeAll(() => {
  project.write(shop);
  project.commit();
});
afterAll(() => project.remove());
beforeEach(() => {
  project.clear();
  project.write(shop);
});

test('the check passes a working tree without changes and states what it compared', async () => {
  const { code, stdout } = await project.run();
  expect(stdout).toMatch(
    /^0 breaking, .* compared with HEAD.*; read 2 subgraphs, a public schema, 1 route, 1 registered operation[^s]/,
  );
  expect(code).toBe(0);
});

test.each([
  [
    'a removed field that a registered operation uses',
    edited('reviews.graphql', '  rating: Int\n', '  stars: Int\n'),
    [
      /^ {2}field-removed:Item\.rating +items\.graphql:9 /m,
      /^ {4}document-invalid:operations\/item\.graphql +operations\/item\.graphql:\d+ /m,
    ],
  ],
  [
    'an alternative scope that admits more callers',
    edited('items.graphql', '[["orders:read"]]', '[["orders:read"], ["support"]]'),
    [/^ {2}guard-looser:Query\.orders +items\.graphql:6 /m],
  ],
  [
    'a further scope that is demanded',
    edited('items.graphql', '[["orders:read"]]', '[["orders:read", "audit"]]'),
    [/^ {2}guard-stricter:Query\.orders +items\.graphql:6 /m],
  ],
  [
    'a guard that is gone',
    edited('items.graphql', ' @requiresScopes(scopes: [["orders:read"]])', ''),
    [/^ {2}guard-opened:Query\.orders /m],
  ],
  [
    'subgraphs that do not compose',
    edited('reviews.graphql', 'rating: Int', 'rating: Int title: String!'),
    [/^ {2}composition-failed:schema-check\.json /m],
  ],
  [
    'a removed route',
    { 'openapi.json': { ...shop['openapi.json'], paths: {} } },
    [/^ {2}route-removed:GET \/items\/\{id\} +openapi\.json:1 /m],
  ],
])('the check refuses %s', async (_, files, lines) => {
  project.write(files);
  const { code, stdout } = await project.run('--base', 'HEAD');
  for (const line of lines) expect(stdout).toMatch(line);
  expect(code).toBe(1);
});

test('removing a field that no known operation uses is dangerous, and breaking once a log shows its use', async () => {
  project.write(edited('items.graphql', '  weight: Int\n', ''));
  const unused = await project.run();
  expect(unused).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/DANGEROUS \(1\)\n {2}field-removed:Item\.weight/),
  });
  expect((await project.run('--fail-on', 'dangerous')).code).toBe(1);
  project.write({ 'seen.ndjson': '{"document":"{ item(id: 1) { weight } }"}\n' });
  const used = await project.run('--operations-log', 'seen.ndjson');
  expect(used).toMatchObject({ code: 1, stdout: expect.stringMatching(/BREAKING \(1\)/) });
});

test('recorded usage decides whether the removal of a field is breaking', async () => {
  project.write(edited('items.graphql', '  weight: Int\n', ''));
  const configuration = {
    ...shop['schema-check.json'],
    usage: 'usage.jsonl',
    usageRules: { minimumDays: 1 },
  };
  const day = new Date().toISOString().slice(0, 10);
  const counted = {
    day,
    client: 'dealer-sync',
    operation: 'a',
    count: 14_201,
    lastUsedAt: `${day}T10:00:00Z`,
  };
  const lines = (coordinate: string) =>
    [{ operation: 'a', coordinates: [coordinate] }, counted].map((line) => JSON.stringify(line)).join('\n');
  project.write({ 'schema-check.json': configuration, 'usage.jsonl': lines('Item.weight') });
  const used = await project.run();
  expect(used.stdout).toContain(
    `Used by client \`dealer-sync\` 14,201 times in 30 days, last used ${day}T10:00Z.`,
  );
  expect(used.code).toBe(1);
  project.write({ 'usage.jsonl': lines('Item.id') });
  const unused = await project.run();
  expect(unused).toMatchObject({ code: 0, stdout: expect.stringContaining('1 day of usage') });
  project.write({ 'schema-check.json': { ...configuration, usage: 'absent.jsonl' } });
  expect(await project.run()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^absent.jsonl cannot/),
  });
});

test('subgraphs that do not compose are reported at the configuration, and a committed schema is not compared', async () => {
  const configuration = { ...shop['schema-check.json'], api: 'api.graphql' };
  project.write({ 'api.graphql': 'type Query { item: Int }', 'other.json': configuration });
  project.write(edited('reviews.graphql', 'rating: Int', 'rating: Int title: String!'));
  const { code, stdout } = await project.run('--config', 'other.json');
  expect(stdout.match(/^ {2}\S+:\S+/gm)).toEqual(['  composition-failed:other.json']);
  expect(code).toBe(1);
});

test('a breaking change is accepted by its id with a reason', async () => {
  project.write(edited('items.graphql', '[["orders:read"]]', '[["support"], ["orders:read"]]'));
  const [id] = /guard-looser:\S+/.exec((await project.run()).stdout) ?? [];
  project.write({
    'accepted-changes.yaml': `- id: ${id}\n  reason: Support answers questions about orders.\n`,
  });
  const { code, stdout } = await project.run();
  expect(stdout).toMatch(/ACCEPTED \(1\)[\s\S]*Accepted: Support answers questions about orders\./);
  expect(code).toBe(0);
});

test('reports a committed schema as stale if the subgraphs no longer compose to it', async () => {
  const subgraphs = (['items', 'reviews'] as const).map((name) => ({
    name,
    url: '',
    sdl: shop[`${name}.graphql`],
  }));
  const { api, supergraph } = composeSupergraph(subgraphs);
  const configuration = {
    ...shop['schema-check.json'],
    api: 'api.graphql',
    supergraph: 'supergraph.graphql',
  };
  project.write({ 'api.graphql': api, 'supergraph.graphql': supergraph, 'schema-check.json': configuration });
  expect((await project.run()).stdout).not.toContain('Stale');
  project.write(edited('items.graphql', 'weight: Int', 'weight: Int\n  height: Int'));
  const { stdout } = await project.run();
  expect(stdout).toMatch(/^Stale: supergraph\.graphql differs/m);
  expect(stdout).toMatch(/^Stale: api\.graphql differs/m);
});

test('compares a lone public schema with a single file', async () => {
  const [before, after] = ['title: String! weight: Int', 'title: String!'].map(
    (fields) => `type Query { item: Item } type Item { ${fields} }`,
  );
  project.write({
    'schema-check.json': { api: 'api.graphql', operations: ['operations/*.graphql'] },
    'operations/item.graphql': 'query item { item { title weight } }',
    'api.graphql': after ?? '',
    'published.graphql': before ?? '',
  });
  const { code, stdout } = await project.run('--base', 'published.graphql');
  expect(stdout).toMatch(/^ {2}field-removed:Item\.weight +api\.graphql:1 /m);
  expect(code).toBe(1);
});

describe('a base that is not a commit', () => {
  let server: Server;
  let url: string;
  const published: Record<string, string> = {
    '/v1/items.graphql': shop['items.graphql'],
    '/v1/reviews.graphql': shop['reviews.graphql'],
    '/v1/openapi.json': JSON.stringify(shop['openapi.json']),
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      const text = published[request.url ?? ''];
      response
        .writeHead(text === undefined ? (request.url?.startsWith('/broken') ? 500 : 404) : 200)
        .end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('reads a base below a URL and reports operations as not compared', async () => {
    project.write(edited('items.graphql', '  weight: Int\n', ''));
    const { code, stdout } = await project.run('--base', `${url}/v1`);
    expect(stdout).toMatch(/DANGEROUS \(1\)\n {2}field-removed:Item\.weight/);
    expect(stdout).toMatch(/^Not compared: http\S+ has no operations\/\*\.graphql\.$/m);
    expect(code).toBe(0);
  });

  test('reads a single document at a URL as a base', async () => {
    project.write({ 'openapi.json': { ...shop['openapi.json'], paths: {} } });
    const { code, stdout } = await project.run('--base', `${url}/v1/openapi.json`);
    expect(stdout).toContain('route-removed:GET /items/{id}');
    expect(code).toBe(1);
  });

  test('reads a folder with the same files as a base', async () => {
    const copy = Object.entries(shop).map(([file, content]) => [`old/${file}`, content]);
    project.write({
      ...Object.fromEntries(copy),
      ...edited('items.graphql', 'title: String!', 'title: String'),
    });
    const { code, stdout } = await project.run('--base', 'old');
    expect(stdout).toContain('field-type-changed:Item.title');
    expect(code).toBe(1);
  });

  test.each([
    ['/broken/openapi.json', /^http\S+ answers with status 500\.$/],
    ['/none/openapi.json', /^http\S+ does not exist \(404\)\.$/],
  ])('refuses a base whose server answers with an error: %s', async (document, message) => {
    const { code, stderr } = await project.run('--base', url + document);
    expect(stderr.trim()).toMatch(message);
    expect(code).toBe(2);
  });
});

test.each<[string, Record<string, object | string>, string[], RegExp]>([
  ['an unknown option', {}, ['--bse', 'main'], /^Unknown option '--bse'.* See schema-check --help\.$/],
  [
    'an unknown ref',
    {},
    ['--base', 'nothing'],
    /^The commit "nothing" does not exist in this clone\. Fetch it \(git fetch origin\), or /,
  ],
  [
    'an unknown format',
    {},
    ['--format', 'html'],
    /^--format must be one of table, json, github, sarif, junit, markdown\.$/,
  ],
  ['an unknown severity', {}, ['--fail-on', 'safe'], /^--fail-on must be breaking or dangerous\.$/],
  [
    'no configuration',
    {},
    ['--config', 'no.json'],
    /^no\.json cannot be read\. Create it, or name another file with --config\.$/,
  ],
  [
    'a configuration without JSON',
    { 'schema-check.json': '{' },
    [],
    /^schema-check\.json is not valid JSON\.$/,
  ],
  [
    'a configuration that names nothing to compare',
    { 'schema-check.json': {} },
    [],
    /^schema-check\.json: name at least one of "subgraphs", /,
  ],
  [
    'an unknown member of the configuration',
    { 'schema-check.json': { api: 'a', apis: [] } },
    [],
    /^schema-check\.json: \/ must NOT have additional properties \("apis"\)\.$/,
  ],
  [
    'a member of the wrong type',
    { 'schema-check.json': { api: 1 } },
    [],
    /^schema-check\.json: \/api must be string\.$/,
  ],
  [
    'a configured file that does not exist',
    { 'schema-check.json': { api: 'no.graphql' } },
    [],
    /^schema-check\.json names no\.graphql, which does not exist\. /,
  ],
  [
    'an OpenAPI document without JSON',
    { 'openapi.json': '[]' },
    [],
    /^openapi\.json of \S+ is not an OpenAPI document in JSON \(it is not an object\)\.$/,
  ],
  [
    'a public schema with a syntax error',
    { 'schema-check.json': { api: 'api.graphql' }, 'api.graphql': 'type Query {\n  a String\n}' },
    [],
    /^api\.graphql is not a valid schema \(Syntax Error: Expected ":", found Name "String", line 2\)\. Correct it\.$/,
  ],
  [
    'a public schema with an unknown type',
    { 'schema-check.json': { api: 'api.graphql' }, 'api.graphql': 'type Query { a: Item }' },
    [],
    /^api\.graphql is not a valid schema \(Unknown type "Item"\)\. Correct it\.$/,
  ],
  [
    'a wrong list of accepted changes',
    { 'accepted-changes.yaml': 'a: b' },
    [],
    /^accepted-changes\.yaml: it must be a list of \{id, reason\}\.$/,
  ],
])('the check exits with 2 and one line for %s', async (_, files, options, message) => {
  project.write(files);
  const { code, stdout, stderr } = await project.run(...options);
  expect(stderr.trim()).toMatch(message);
  expect([code, stdout, stderr.trim().split('\n').length]).toEqual([2, '', 1]);
});

test('the check prints every format: JSON, SARIF, JUnit with a failure, and Markdown with a table', async () => {
  project.write(edited('items.graphql', 'title: String!', 'title: String'));
  const { stdout } = await project.run('--format', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ counts: { breaking: 1 } });
  const report = await checkProject({
    directory: project.folder,
    configurationFile: 'schema-check.json',
    base: 'HEAD',
    operationsLogs: [],
  });
  expect(JSON.parse(formats.sarif.print(report))).toMatchObject({
    runs: [{ results: [{ ruleId: 'field-type-changed' }] }],
  });
  expect(formats.github.print(report)).toMatch(/^::error file=items\.graphql,line=11,/);
  expect(formats.junit.print(report)).toMatch(
    /<testsuites name="schema-check" tests="1" failures="1">[\s\S]*name="Item\.title" file="items\.graphql" line="11"><failure type="field-type-changed" message="/,
  );
  expect(formats.markdown.print(report)).toMatch(
    /^### The contract breaks[\s\S]*\| `field-type-changed:Item\.title` \| items\.graphql:11 \| /,
  );
});

test('the check prints its options and exit codes', async () => {
  const { code, stdout } = await project.run('--help');
  for (const option of ['--base', '--config', '--fail-on', '--format', '--operations-log', 'Exit codes:'])
    expect(stdout).toContain(option);
  expect(code).toBe(0);
});
