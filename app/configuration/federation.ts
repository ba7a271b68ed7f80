import path from 'node:path';
import { readSupergraphConfig } from '../../schema/compose/readSupergraphConfig.ts';
import { type Environment, readAll, setting, text, toggle } from './Setting.ts';

const listed = readSupergraphConfig(path.join(import.meta.dirname, '../..'));

/** Names of the subgraphs in `supergraph.yaml`. */
export const subgraphNames: readonly string[] = listed.map(({ name }) => name);

/** Addresses of the subgraphs that run apart, by the names of the subgraphs. */
const addressSettings = Object.fromEntries(
  listed.map(({ name, url }) => [
    name,
    text(`${name.toUpperCase()}_URL`, {
      fallback: url,
      meaning: `Address of the subgraph \`${name}\` if it runs in another process.`,
      allowed: 'an absolute URL',
      accepts: URL.canParse,
    }),
  ]),
);

/** Addresses of routers and subgraphs in other processes, and the supergraph of a router. */
const ownSettings = {
  subgraphListen: setting('SUBGRAPH_LISTEN', {
    shown: 'its address above',
    meaning: 'Address that a separate subgraph listens on, if its public address is that of a load balancer.',
    allowed: 'an interface and a port, such as `0.0.0.0:4101`',
    parse(address, refuse) {
      const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(address) ?? [];
      return host !== '' && Number(port) <= 65_535 ? { host, port: Number(port) } : refuse(address);
    },
  }),
  supergraph: text('SUPERGRAPH', {
    shown: 'that of the release',
    meaning:
      'Supergraph that `npm run start:router` serves. It is reloaded when it changes; see [deployment](../how-to/deployment.md).',
    allowed: 'a file',
  }),
  plans: text('PLANS', {
    shown: '`schema/plans.json`',
    meaning:
      'File of query plans written by `npm run plans`, which are not computed again at start; see [router](../explanation/router.md).',
    allowed: 'a file',
  }),
  nativePlanner: toggle('NATIVE_PLANNER', {
    fallback: true,
    meaning: '`off`: only operations in `PLANS` are executed, for platforms without a planner binary.',
  }),
  jit: toggle('JIT', {
    fallback: true,
    meaning: 'Whether queries are compiled. `off` if code generation from strings is forbidden.',
  }),
};

export const federationSettings = { ...addressSettings, ...ownSettings };

export function readFederation(environment: Environment) {
  return {
    ...readAll(ownSettings, environment),
    /** Addresses of the subgraphs that run apart, by name. */
    subgraphUrls: readAll(addressSettings, environment),
  };
}
