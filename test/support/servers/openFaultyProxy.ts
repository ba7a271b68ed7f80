import { createServer, type IncomingMessage, type ServerResponse, request as startRequest } from 'node:http';
import { listenLocally } from './listenLocally.ts';

/** Fault of requests. `late` and `lost` are executed behind the proxy. The others do not reach it. */
export type Fault =
  | 'none'
  /** The connection breaks before an answer. */
  | 'broken'
  /** There is no answer. */
  | 'hung'
  /** The answer is delayed until `release`. */
  | 'late'
  /** The request is executed, and then the connection breaks without an answer. */
  | 'lost'
  /** The answer ends in the middle of its body. */
  | 'cut'
  /** JSON that is not a GraphQL answer. */
  | 'nonsense'
  /** HTML with status 200, as from a captive portal. */
  | 'html'
  /** 12 MB, which exceeds the limit of the router. */
  | 'flood'
  /** Status 500 with confidential details. */
  | 'fail'
  /** Status 503 of a gateway. */
  | 'gateway';

/** A proxy between a router and a subgraph that injects faults. */
export interface FaultyProxy {
  url: string;
  fault: Fault;
  /** Number of received requests. */
  readonly arrived: number;
  /** Sends all delayed answers. */
  release(): void;
  close(): Promise<void>;
}

/** @param target address of the subgraph */
export async function openFaultyProxy(target: string): Promise<FaultyProxy> {
  const held: (() => void)[] = [];
  let arrived = 0;
  // Idle connections stay open, so that only the stated fault breaks a connection.
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
  const local = await listenLocally(server);
  const proxy: FaultyProxy = {
    url: `${local.url}/`,
    fault: 'none',
    get arrived() {
      return arrived;
    },
    release() {
      for (const go of held.splice(0)) go();
    },
    async close() {
      proxy.release();
      await local.close();
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

/** Preallocated, because creating it takes time from the tested code. */
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
