import http from '@graphql-mesh/transport-http';
import { serveHive } from './serveHive.ts';

/**
 * Hive Gateway with its own HTTP transport on the supergraph, in a separate process. It does not know the directives and
 * guards of the product, and runs no code of it. It sends the caller's token and the headers of the proxy to the signer,
 * which takes the place of the subgraphs.
 *
 * `SIGNER_URL` is the address of the signer. `HIVE_LOG` enables logging.
 */
const { SIGNER_URL = '', HIVE_LOG = '' } = process.env;
const propagated = ['authorization', 'user-agent', 'x-forwarded-host', 'x-forwarded-for', 'traceparent'];

serveHive({
  urlOf: (name) => new URL(name, SIGNER_URL).href,
  transports: { http },
  headersOf: ({ headers }) =>
    Object.fromEntries(
      propagated.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, value]];
      }),
    ),
  logging: HIVE_LOG !== '',
});
