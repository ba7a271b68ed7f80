import { readFileSync } from 'node:fs';
import path from 'node:path';
import { federateSubgraphs, type Subgraph } from '@wundergraph/composition';
import { buildSchema, type GraphQLObjectType, parse as parseGraphql } from 'graphql';
import { parse } from 'yaml';
import { signerKeyHeader } from '../../router/signer/createSigner.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const names = ['identity', 'seo', 'translation'] as const;

/** Address of the signer in the compose file. */
function signerUrl(): string {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  return `http://signer:${services.signer.environment.PORT}`;
}

/** A rule of Apollo Router or of Cosmo for a header that it sends. */
interface HeaderRule {
  propagate?: { named: string };
  insert?: { name: string; value: string };
  op?: string;
  named?: string;
  name?: string;
  value?: string;
}

const rulesOf = (file: string): HeaderRule[] =>
  (parse(read(file)) as { headers: { all: { request: HeaderRule[] } } }).headers.all.request;

const graph = parse(read('deploy/cosmo/graph.yaml')) as {
  subgraphs: { name: string; routing_url: string; schema: { file: string } }[];
};

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

test('Apollo Router and Cosmo send requests to subgraphs only through the signer', () => {
  const addresses = Object.fromEntries(names.map((name) => [name, `${signerUrl()}/${name}`]));
  expect(Object.fromEntries(graph.subgraphs.map(({ name, routing_url }) => [name, routing_url]))).toEqual(
    addresses,
  );
  const apollo = parse(read('deploy/apollo-router/router.yaml'));
  expect(apollo.override_subgraph_url).toEqual(addresses);
});

test('Apollo Router and Cosmo forward the token and the client headers, and send the signer key', () => {
  const handedOn = ['authorization', 'user-agent', 'x-forwarded-for', 'x-forwarded-host'];
  const apollo = rulesOf('deploy/apollo-router/router.yaml');
  const propagated = apollo.flatMap(({ propagate }) => (propagate ? [propagate.named] : []));
  expect(new Set(propagated)).toEqual(new Set(handedOn));
  expect(apollo.flatMap(({ insert }) => (insert ? [insert] : []))).toEqual([
    { name: signerKeyHeader, value: `\${env.SIGNER_KEY}` },
  ]);
  const cosmo = rulesOf('deploy/cosmo/config.yaml');
  const named = cosmo.flatMap((rule) => (rule.op === 'propagate' ? [rule.named?.toLowerCase()] : []));
  expect(new Set(named)).toEqual(new Set(handedOn));
  const [set] = cosmo.filter(({ op }) => op === 'set');
  expect([set?.name?.toLowerCase(), set?.value]).toEqual([signerKeyHeader, `\${SIGNER_KEY}`]);
});

test('Apollo Router and Cosmo pass subgraph errors through and share no answer between callers', () => {
  const apollo = parse(read('deploy/apollo-router/router.yaml'));
  expect(apollo).toMatchObject({
    include_subgraph_errors: { all: true },
    traffic_shaping: { all: { deduplicate_query: false } },
    supergraph: { introspection: false },
  });
  expect(parse(read('deploy/cosmo/config.yaml'))).toMatchObject({
    subgraph_error_propagation: { mode: 'pass-through', allow_all_extension_fields: true },
    engine: { enable_single_flight: false },
    introspection_enabled: false,
  });
});

test('Apollo Router, Cosmo and the signer start only with their profile, and their mounted files exist', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true });
  for (const [name, profiles] of [
    ['signer', ['apollo', 'cosmo']],
    ['apollo-router', ['apollo']],
    ['cosmo-router', ['cosmo']],
  ] as const)
    expect(services[name].profiles).toEqual(profiles);
  const mounted = ['apollo-router', 'cosmo-router'].flatMap((name) =>
    (services[name].volumes as string[]).map((volume) => volume.split(':')[0] ?? ''),
  );
  // `wgc` creates execution.json, so it is not in the repository.
  const kept = mounted.filter((file) => !file.endsWith('execution.json'));
  expect(kept).toHaveLength(3);
  for (const file of kept) expect(read(path.join('deploy', file)).length).toBeGreaterThan(100);
});
