import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Router } from '../../router/createRouter.ts';
import type { Engine } from '../../router/execution/Engine.ts';
import type { App } from '../http/createApp.ts';
import { LiveEngine } from './LiveEngine.ts';
import type { Routers } from './openRouters.ts';
import { watchFile } from './watchFile.ts';

/** All prepared objects of one supergraph. */
interface Served extends App {
  readonly engine: Engine;
  close(): Promise<void>;
}

/** A product whose supergraph may be replaced while it runs. */
export interface LiveApp extends App {
  /** Stops watching, and waits for the requests. */
  close(): Promise<void>;
}

/** Options of a product whose supergraph is in a file. */
export interface LiveOptions {
  readonly routers: Pick<Routers, 'open'>;
  readonly file: string;
  /** Returns the HTTP application of one router. */
  readonly toApp: (router: Router) => Promise<App>;
  readonly log: Logger;
  /** Polling interval of the file in milliseconds; 2,000 by default. */
  readonly intervalMs?: number;
}

/**
 * Serves a supergraph, and a new one when its file contains it. Every route and registered operation of the new one is
 * planned and compiled before its first request. Requests and streams end on the supergraph on which they started. If
 * an operation cannot be planned, or a route or a guard does not match, the error is logged and the last valid
 * supergraph stays.
 *
 * @throws Error if the first one cannot be served
 */
export async function serveLive(options: LiveOptions): Promise<LiveApp> {
  const { file, log, intervalMs = 2000 } = options;
  const first = readFirst(file);
  const live = new LiveEngine(await serve(first, options));
  const stop = watchFile(
    file,
    first,
    async (text) => {
      try {
        if (text === null) throw new Error('the file cannot be read.');
        live.replace(await serve(text, options));
        log.warn({ file }, 'the supergraph was replaced');
      } catch (error) {
        log.error({ file, reason: (error as Error).message }, 'the last good supergraph is kept');
      }
    },
    intervalMs,
  );
  return {
    handle(request, response) {
      const { parts, release } = live.lease();
      response.once('close', release);
      parts.handle(request, response);
    },
    sockets: {
      accepts: (request) => live.parts.sockets.accepts(request),
      open(request, socket, head) {
        const { parts, release } = live.lease();
        socket.once('close', release);
        parts.sockets.open(request, socket, head);
      },
    },
    async close() {
      await stop();
      await live.close();
    },
  };
}

function readFirst(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`the supergraph "${file}" cannot be read (${code}).`, { cause: error });
  }
}

async function serve(sdl: string, { routers, toApp }: LiveOptions): Promise<Served> {
  const router = routers.open(sdl);
  try {
    return { engine: router.engine, ...(await toApp(router)), close: () => router.close() };
  } catch (error) {
    await router.close();
    throw error;
  }
}
