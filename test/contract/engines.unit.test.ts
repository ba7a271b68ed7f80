import { readFileSync } from 'node:fs';
import path from 'node:path';
import { federateSubgraphs, type Subgraph } from '@wundergraph/composition';
import { buildSchema, type GraphQLObjectType, parse as parseGraphql } from 'graphql';
import { parse } from 'yaml';
import { signerKeyHeader } from '../../router/signer/createSigner.ts';
import { pins } from '../engines/pins.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const names = ['identity', 'seo', 'translation'] as const;

/** Returns the address at which compose serves the signer. */
function signerUrl(): string {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  return `http://signer:${services.signer.environment.PORT}`;
}

const hive = parse(read('deploy/hive-router/router.yaml'));
const apollo = parse(read('deploy/apollo-router/router.yaml'));
const cosmo = parse(read('deploy/cosmo/config.yaml'));
const graph = parse(read('deploy/cosmo/graph.yaml')) as {
  subgraphs: { name: string; routing_url: string; schema: { file: string } }[];
};

/** A rule of an engine for a header that it sends. */
interface HeaderRule {
  propagate?: { named: string | string[] };
  insert?: { name: string; value: unknown };
  op?: string;
  named?: string;
  name?: string;
  value?: string;
}

/** Returns the headers that an engine forwards, in lower case, and the one that it adds. */
function headersOf(engine: { headers: { all: { request: HeaderRule[] | { operations: HeaderRule[] } } } }) {
  const { request } = engine.headers.all;
  const rules = 'operations' in request ? request.operations : request;
  const forwarded = rules.flatMap(({ propagate, op, named = '' }) =>
    propagate ? [propagate.named].flat() : op === 'propagate' ? [named.toLowerCase()] : [],
  );
  const added = rules.flatMap(({ insert, op, name = '', value }) =>
    insert ? [insert] : op === 'set' ? [{ name: name.toLowerCase(), value }] : [],
  );
  return { forwarded: forwarded.sort(), added };
}

test('Cosmo composes the subgraphs without errors or warnings, to the root fields of the API schema', () => {
  const result = federateSubgraphs({
    version: '1',
    subgraphs: graph.subgraphs.map(
      ({ name, routing_url: url, schema }): Subgraph => ({
        name,
        url,
        definitions: parseGraphql(read(path.join('deploy/cosmo', schema.file))),
      }),
    ),
  });
  if (!result.success) throw new Error(result.errors.map(({ message }) => message).join('\n'));
  expect(result.warnings).toEqual([]);
  const ours = buildSchema(read('schema/api.graphql'), { assumeValidSDL: true });
  const fields = (type: GraphQLObjectType | null | undefined) => Object.keys(type?.getFields() ?? {}).sort();
  const theirs = result.federatedGraphClientSchema;
  expect(fields(ours.getQueryType()).length).toBeGreaterThan(50);
  expect(fields(theirs.getQueryType())).toEqual(fields(ours.getQueryType()));
  expect(fields(theirs.getMutationType())).toEqual(fields(ours.getMutationType()));
  expect(fields(theirs.getSubscriptionType())).toEqual(fields(ours.getSubscriptionType()));
});

test('every engine sends requests to every subgraph through the signer only', () => {
  const addresses = Object.fromEntries(names.map((name) => [name, `${signerUrl()}/${name}`]));
  expect(Object.fromEntries(graph.subgraphs.map(({ name, routing_url }) => [name, routing_url]))).toEqual(
    addresses,
  );
  expect(apollo.override_subgraph_url).toEqual(addresses);
  expect(hive.override_subgraph_urls.subgraphs).toEqual(
    Object.fromEntries(Object.entries(addresses).map(([name, url]) => [name, { url }])),
  );
});

test.each([
  ['Hive Router', hive, { from_env: 'SIGNER_KEY', default: '' }],
  ['Apollo Router', apollo, `\${env.SIGNER_KEY}`],
  ['Cosmo Router', cosmo, `\${SIGNER_KEY}`],
])(
  '%s forwards the token and the headers of the proxy, and sends the key of the signer',
  (_, engine, value) => {
    expect(headersOf(engine)).toEqual({
      forwarded: ['authorization', 'user-agent', 'x-forwarded-for', 'x-forwarded-host'],
      added: [{ name: signerKeyHeader, value }],
    });
  },
);

test('every engine returns errors of the subgraphs unmasked, and shares no response between callers', () => {
  expect(hive).toMatchObject({
    error_masking: { enabled: false },
    traffic_shaping: { all: { dedupe_enabled: false } },
    introspection: false,
  });
  expect(apollo).toMatchObject({
    include_subgraph_errors: { all: true },
    traffic_shaping: { all: { deduplicate_query: false } },
    supergraph: { introspection: false },
  });
  expect(cosmo).toMatchObject({
    subgraph_error_propagation: { mode: 'pass-through', allow_all_extension_fields: true },
    engine: { enable_single_flight: false },
    introspection: { enabled: false },
  });
});

test('engines are started only with their profiles, and their mounted files exist', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  for (const [name, profiles] of [
    ['signer', ['hive', 'apollo', 'cosmo']],
    ['hive-router', ['hive']],
    ['apollo-router', ['apollo']],
    ['cosmo-router', ['cosmo']],
  ] as const)
    expect(services[name].profiles).toEqual(profiles);
  const mounted = ['hive-router', 'apollo-router', 'cosmo-router'].flatMap((name) =>
    (services[name].volumes as string[]).map((volume) => volume.split(':')[0] ?? ''),
  );
  // `wgc` creates execution.json, so it is not in the repository.
  const kept = mounted.filter((file) => !file.endsWith('execution.json'));
  expect(kept).toHaveLength(5);
  for (const file of kept) expect(read(path.join('deploy', file)).length).toBeGreaterThan(100);
});

test.each(pins)('the image of $name in compose has the version that the tests run', ({ name, version }) => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  expect(services[name].image).toMatch(new RegExp(`:v?${version.replaceAll('.', '\\.')}\\}$`));
});
