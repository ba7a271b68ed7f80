import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { type ExecutionArgs, parse } from 'graphql';
import { createHandler } from 'graphql-http/lib/use/http';
import { createEngine } from '../../router/execution/createEngine.ts';
import type { Prepared, Refused } from '../../router/execution/Engine.ts';
import { readSubgraphs } from '../../router/execution/readSubgraphs.ts';
import { createHttpTransport } from '../../router/transport/httpTransport.ts';

type Subscribed = (ExecutionArgs & { contextValue?: undefined }) | Refused['errors'];

/**
 * Serves the plan executor over any supergraph, for The Guild's federation audit
 * (https://github.com/graphql-hive/federation-gateway-audit): `node test/federation-audit/serve.ts FILE [PORT]`. Other
 * parts of the product are not used. Requests are sent to the addresses of the subgraphs in the supergraph.
 */
function main(): void {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [file, port = '4000'] = positionals;
  if (file === undefined) throw new Error('Name the file of a composed schema.');
  const supergraphSdl = readFileSync(file, 'utf8');
  const transports = Object.fromEntries(
    readSubgraphs(parse(supergraphSdl)).map(({ name, url }) => [
      name,
      createHttpTransport({ name, url, headers: () => ({}) }),
    ]),
  );
  const engine = createEngine({ supergraphSdl, transports, limits: null });
  const handle = createHandler({
    async onSubscribe(_request, { query, operationName, variables }): Promise<Subscribed> {
      const prepared = await engine.prepare(query, operationName);
      if ('errors' in prepared) return prepared.errors;
      const { apiSchema: schema } = engine;
      return {
        schema,
        document: prepared.document,
        operationName: operationName ?? null,
        variableValues: variables ?? null,
        rootValue: prepared,
      };
    },
    execute: ({ rootValue, variableValues }) => (rootValue as Prepared).execute(variableValues, {}),
  });
  const server = createServer((request, response) => {
    if (request.url === '/health') response.end('ok');
    else void handle(request, response);
  });
  server.listen(Number(port), '127.0.0.1', () =>
    console.log(`ready http://localhost:${(server.address() as AddressInfo).port}`),
  );
  process.once('SIGTERM', () => process.exit(0));
}

main();
