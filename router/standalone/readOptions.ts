import { parseArgs } from 'node:util';
import { type DocumentLimits, defaultLimits } from '../limits/DocumentLimits.ts';
import { usualCacheControl } from '../operations/answerCached.ts';

/** What `npm run router` is told. */
export interface StandaloneOptions {
  /** File of the composed schema. */
  readonly supergraph: string;
  readonly port: number;
  readonly host: string;
  /** Addresses that replace those of the supergraph, by subgraph. */
  readonly subgraphUrls: Readonly<Record<string, string>>;
  /** Names of the client's headers, lower case, that every subgraph is sent. */
  readonly forwardedHeaders: readonly string[];
  readonly graphiql: boolean;
  readonly limits: DocumentLimits;
  /** Longest time of one request, and of one answer of a subgraph, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly subgraphTimeoutMs: number;
  /** Requests that are executed at a time; one more is refused. */
  readonly maxRequests: number;
  /** File or folder of registered operations. */
  readonly operations: string | undefined;
  /** Whether nothing else is executed. */
  readonly registeredOnly: boolean;
  /** `Cache-Control` of answers of registered queries that are asked by GET. */
  readonly cacheControl: string;
  /** Whether the supergraph is read again when its file changes. */
  readonly watch: boolean;
}

/** Shown by `--help`, and with whatever is wrong. */
export const usage = `npm run router -- --supergraph FILE [options]

  --supergraph FILE         composed schema (federation 2)
  --port N                  4000
  --host NAME               127.0.0.1; 0.0.0.0 for everybody
  --subgraph-url NAME=URL   instead of the address in the supergraph; repeatable
  --forward-header NAME     header of the client that subgraphs get; repeatable, in place of
                            the default "authorization"; "none" for none
  --graphiql                an explorer at /
  --no-introspection        clients may not ask for the schema
  --limit NAME=N            ${Object.keys(defaultLimits)
    .filter((name) => name !== 'introspection')
    .join(', ')}; repeatable
  --request-timeout MS      10000
  --subgraph-timeout MS     5000
  --max-requests N          1000 at a time; more are refused with 503
  --operations PATH         registered operations: a manifest, or a folder of them and of .graphql
  --registered-only         nothing but registered operations is executed
  --cache-control TEXT      of registered queries asked by GET; "${usualCacheControl}"
  --no-watch                a changed supergraph is not read again`;

/** Of the connection between two programs, and never passed on (RFC 9110, 7.6.1). */
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'accept',
  'accept-encoding',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Reads the arguments of the command line.
 *
 * @throws Error that names the argument and what it may be
 */
export function readOptions(args: readonly string[]): StandaloneOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      supergraph: { type: 'string' },
      port: { type: 'string', default: '4000' },
      host: { type: 'string', default: '127.0.0.1' },
      'subgraph-url': { type: 'string', multiple: true, default: [] },
      'forward-header': { type: 'string', multiple: true, default: ['authorization'] },
      graphiql: { type: 'boolean', default: false },
      introspection: { type: 'boolean', default: true },
      limit: { type: 'string', multiple: true, default: [] },
      'request-timeout': { type: 'string', default: '10000' },
      'subgraph-timeout': { type: 'string', default: '5000' },
      'max-requests': { type: 'string', default: '1000' },
      operations: { type: 'string' },
      'registered-only': { type: 'boolean', default: false },
      'cache-control': { type: 'string', default: usualCacheControl },
      watch: { type: 'boolean', default: true },
    },
    allowNegative: true,
  });
  if (!values.supergraph)
    throw new Error('--supergraph is not given; it must be the file of a composed schema.');
  return {
    supergraph: values.supergraph,
    port: integer('--port', values.port, 0, 65_535),
    host: values.host,
    subgraphUrls: Object.fromEntries(values['subgraph-url'].map((text) => pair('--subgraph-url', text))),
    forwardedHeaders: headerNames(values['forward-header']),
    graphiql: values.graphiql,
    limits: { ...defaultLimits, ...readLimits(values.limit), introspection: values.introspection },
    requestTimeoutMs: integer('--request-timeout', values['request-timeout'], 1, 3_600_000),
    subgraphTimeoutMs: integer('--subgraph-timeout', values['subgraph-timeout'], 1, 3_600_000),
    maxRequests: integer('--max-requests', values['max-requests'], 1, 1_000_000),
    operations: values.operations,
    registeredOnly: registeredOnly(values['registered-only'], values.operations),
    cacheControl: values['cache-control'],
    watch: values.watch,
  };
}

function registeredOnly(isOn: boolean, operations: string | undefined): boolean {
  if (!isOn || operations !== undefined) return isOn;
  throw new Error('--registered-only executes nothing without --operations; name their file or folder.');
}

function headerNames(given: readonly string[]): string[] {
  const names = given.map((name) => name.toLowerCase()).filter((name) => name !== 'none');
  const wrong = names.find((name) => !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || ownHeaders.has(name));
  if (wrong === undefined) return [...new Set(names)];
  throw new Error(
    `--forward-header is "${wrong}"; it must be the name of a header that is not the connection's.`,
  );
}

function readLimits(given: readonly string[]): Partial<DocumentLimits> {
  return Object.fromEntries(
    given.map((text) => {
      const [name, value] = pair('--limit', text);
      if (!Object.hasOwn(defaultLimits, name) || name === 'introspection')
        throw new Error(`--limit names "${name}", which is none of the limits.`);
      return [name, integer(`--limit ${name}`, value, 0, Number.MAX_SAFE_INTEGER)];
    }),
  );
}

function pair(option: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Error(`${option} is "${text}"; it must be name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function integer(option: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new Error(`${option} is "${text}"; it must be a whole number from ${least} to ${most}.`);
}
