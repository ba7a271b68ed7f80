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
      meaning: `Address of the subgraph \`${name}\` where it runs in another process.`,
      allowed: 'an absolute URL',
      accepts: URL.canParse,
    }),
  ]),
);

/** How a router and subgraphs of other processes find each other, and what a router starts with. */
const ownSettings = {
  subgraphListen: setting('SUBGRAPH_LISTEN', {
    shown: 'its address above',
    meaning: 'Where a subgraph alone listens, if its address is that of a balancer.',
    allowed: 'an interface and a port, as in `0.0.0.0:4101`',
    parse(address, refuse) {
      const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(address) ?? [];
      return host !== '' && Number(port) <= 65_535 ? { host, port: Number(port) } : refuse(address);
    },
  }),
  supergraph: text('SUPERGRAPH', {
    shown: 'that of the release',
    meaning:
      'Composed schema that `npm run start:router` serves; read again when it changes, see [docs/deployment.md](docs/deployment.md).',
    allowed: 'a file',
  }),
  plans: text('PLANS', {
    shown: '`schema/plans.json`',
    meaning:
      'Query plans that `npm run plans` wrote and that are not computed again at start; see [docs/router.md](docs/router.md).',
    allowed: 'a file',
  }),
  nativePlanner: toggle('NATIVE_PLANNER', {
    fallback: true,
    meaning: '`off`: nothing is planned but what `PLANS` holds, as where the planner has no binary.',
  }),
  jit: toggle('JIT', {
    fallback: true,
    meaning: 'Whether queries are compiled; `off` where code generation from strings is forbidden.',
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
