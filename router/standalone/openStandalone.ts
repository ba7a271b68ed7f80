import type { Logger } from 'pino';
import { createEngine, type Engine } from '../execution/createEngine.ts';
import { probeSupergraph } from '../execution/IsolatedPlanner.ts';
import type { DocumentStores } from '../operations/findDocument.ts';
import { RegisteredOperations } from '../operations/RegisteredOperations.ts';
import { RememberedQueries } from '../operations/RememberedQueries.ts';
import { readOperations } from '../operations/readOperations.ts';
import { createHttpTransport } from '../transport/httpTransport.ts';
import type { Transport } from '../transport/Transport.ts';
import type { ClientContext } from './ClientContext.ts';
import { LiveEngine } from './LiveEngine.ts';
import type { StandaloneOptions } from './readOptions.ts';
import { type ReadSupergraph, readSupergraph } from './readSupergraph.ts';
import { SharedTransports } from './SharedTransports.ts';
import { watchFile } from './watchFile.ts';

/** What one supergraph is served with. */
export interface Served {
  readonly engine: Engine;
  readonly documents: DocumentStores;
  close(): Promise<void>;
}

/** A router of any supergraph, without its HTTP side. */
export interface Standalone {
  readonly live: LiveEngine<Served>;
  close(): Promise<void>;
}

/** What of the options the router itself needs. */
export type ServingOptions = Pick<
  StandaloneOptions,
  | 'supergraph'
  | 'subgraphUrls'
  | 'forwardedHeaders'
  | 'limits'
  | 'subgraphTimeoutMs'
  | 'watch'
  | 'operations'
  | 'registeredOnly'
>;

/**
 * Reads the supergraph, and reads it again when its file changes. One that cannot be served is told to the log, and the
 * last good one stays.
 *
 * @throws Error in one sentence when the first one cannot be served
 */
export async function openStandalone(options: ServingOptions, log: Logger): Promise<Standalone> {
  const { supergraph: file, subgraphUrls } = options;
  const shared = new SharedTransports((subgraph) => openTransport(subgraph, options, log));
  const workshop: Workshop = { shared, options, log, remembered: new RememberedQueries() };
  const first = await readSupergraph(file, subgraphUrls);
  const live = new LiveEngine(await serve(first, workshop));
  const stop = options.watch
    ? watchFile(file, first.sdl, async () => {
        try {
          const next = await readSupergraph(file, subgraphUrls);
          live.replace(await serve(next, workshop));
          log.info({ file, subgraphs: next.subgraphs }, 'the supergraph was replaced');
        } catch (error) {
          log.error({ file, reason: (error as Error).message }, 'the last good supergraph is kept');
        }
      })
    : undefined;
  return {
    live,
    async close() {
      await stop?.();
      await live.close();
    },
  };
}

/** What outlives a supergraph. */
interface Workshop {
  readonly shared: SharedTransports;
  readonly options: ServingOptions;
  readonly log: Logger;
  readonly remembered: RememberedQueries;
}

async function serve(
  { sdl, subgraphs }: ReadSupergraph,
  { shared, options, log, remembered }: Workshop,
): Promise<Served> {
  const { limits, operations, registeredOnly } = options;
  const registrations = operations === undefined ? [] : readOperations(operations);
  // In this process the planner would end it.
  await probeSupergraph(sdl).catch((error: unknown) => {
    throw new Error(`The supergraph cannot be planned: ${(error as Error).message}`, { cause: error });
  });
  const held = shared.hold(subgraphs);
  try {
    const engine = createEngine({ supergraphSdl: sdl, transports: held.transports, limits });
    const registered = new RegisteredOperations(registrations, engine);
    for (const unfit of registered.unfit)
      log.warn(unfit, 'a registered operation does not fit the supergraph');
    return {
      engine,
      documents: { registered, registeredOnly, remembered },
      async close() {
        engine.close();
        await held.release();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

function openTransport(
  { name, url }: { name: string; url: string },
  { forwardedHeaders, subgraphTimeoutMs }: ServingOptions,
  log: Logger,
): Transport {
  return createHttpTransport({
    name,
    url,
    timeoutMs: subgraphTimeoutMs,
    headers: (context) => pick((context as ClientContext).headers, forwardedHeaders),
    onFailure: ({ code, cause }) =>
      log.warn({ subgraph: name, code, reason: (cause as Error | null)?.message }, 'a subgraph failed'),
  });
}

function pick(headers: ClientContext['headers'], names: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = String(value);
  }
  return picked;
}
