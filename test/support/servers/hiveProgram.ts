import http from '@graphql-mesh/transport-http';
import { serveHive } from './serveHive.ts';

/**
 * Hive Gateway with its own HTTP transport on our supergraph, in a process of its own. It knows nothing of our
 * directives and guards, and none of our code runs in it: the caller's token and the headers of the proxy in front of
 * it go to the signer, which it takes for the subgraphs.
 *
 * `SIGNER_URL`; `HIVE_LOG` makes it talk
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
