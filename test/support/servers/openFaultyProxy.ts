import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What becomes of requests. `late` and `lost` are executed behind the proxy; the others never get there. */
export type Fault =
  | 'none'
  /** The connection breaks before anything is answered. */
  | 'broken'
  /** Nothing is ever answered. */
  | 'hung'
  /** The answer is held back until `release`. */
  | 'late'
  /** Executed; then the connection breaks instead of an answer. */
  | 'lost'
  /** The answer ends in the middle of its body. */
  | 'cut'
  /** JSON that is no answer of GraphQL. */
  | 'nonsense'
  /** HTML with 200, as of a captive portal. */
  | 'html'
  /** 12 MB: more than the router reads. */
  | 'flood'
  /** 500 with confidential details. */
  | 'fail'
  /** 503 of a gateway. */
  | 'gateway';

/** Stands between a router and a subgraph, and lets go wrong what can go wrong there. */
export interface FaultyProxy {
  url: string;
  fault: Fault;
  /** Requests that have arrived. */
  readonly arrived: number;
  /** Answers everything that is held back, with what it would have got. */
  release(): void;
  close(): Promise<void>;
}

/** @param target address of the subgraph */
export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const held: (() => void)[] = [];
  let arrived = 0;
  // Idle connections stay open: only the stated fault breaks one.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    arrived++;
    const body = await bodyOf(request);
    const pass = () => forward(target, request, body);
    switch (proxy.fault) {
      case 'none':
        return handOn(await pass(), response);
      case 'broken':
        return void response.destroy();
      case 'hung':
        return void held.push(() => response.destroy());
      case 'late': {
        const answer = await pass();
        return void held.push(() => handOn(answer, response));
      }
      case 'lost':
        await bodyOf(await pass());
        return void response.destroy();
      default:
        return misanswer(response, proxy.fault);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    fault: 'none',
    get arrived() {
      return arrived;
    },
    release() {
      for (const go of held.splice(0)) go();
    },
    async close() {
      proxy.release();
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

function handOn(answer: IncomingMessage, response: ServerResponse): void {
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  // A client that disconnects ends the request, as without a proxy.
  response.once('close', () => answer.destroy());
  answer.pipe(response);
}

let flood: Buffer | undefined;

/** Made once: making it is what would take the time of who is tested. */
function floodOf(): Buffer {
  flood ??= Buffer.from(`{"data":{"me":"${'x'.repeat(12 * 1024 * 1024)}"}}`);
  return flood;
}

function misanswer(
  response: ServerResponse,
  fault: 'cut' | 'nonsense' | 'html' | 'flood' | 'fail' | 'gateway',
): void {
  const json = { 'content-type': 'application/json' };
  if (fault === 'nonsense') response.writeHead(200, json).end('[{"data":1}]');
  else if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
  else if (fault === 'flood') response.writeHead(200, json).end(floodOf());
  else if (fault === 'gateway') response.writeHead(503).end('upstream 10.0.0.7 is away');
  else if (fault === 'fail')
    response.writeHead(500, json).end('{"data":null,"errors":[{"message":"at db-7.internal:27017"}]}');
  else {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('{"data":{"me":{"id":"usr');
    setImmediate(() => response.destroy());
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function forward(target: string, { method, url, headers }: IncomingMessage, body: Buffer) {
  const { hostname, port } = new URL(target);
  return new Promise<IncomingMessage>((answered, failed) => {
    startRequest({ hostname, port, method, path: url, headers }, answered).once('error', failed).end(body);
  });
}
