import { type Environment, integer, list, readAll, text, toggle } from './Setting.ts';

/** Settings of the HTTP listener. */
export const httpSettings = {
  port: integer('PORT', {
    fallback: 4000,
    least: 0,
    most: 65_535,
    meaning: 'Port to listen on; `0` uses a free port.',
  }),
  host: text('HOST', {
    fallback: '127.0.0.1',
    meaning: 'Interface to listen on.',
    allowed: 'an address or a host name of this machine',
  }),
  tlsKey: text('TLS_KEY', {
    meaning:
      'Private key for TLS in this process, over HTTP/1.1. Unset: a proxy in front terminates TLS; see [deployment](../how-to/deployment.md).',
    allowed: 'a file in PEM, together with `TLS_CERT`',
  }),
  tlsCert: text('TLS_CERT', {
    meaning: 'Certificate that belongs to `TLS_KEY`.',
    allowed: 'a file in PEM, together with `TLS_KEY`',
  }),
  trustedProxies: integer('TRUSTED_PROXIES', {
    fallback: 0,
    least: 0,
    most: 10,
    meaning: 'Number of proxies in front whose `X-Forwarded-For` is trusted.',
  }),
  restRoot: text('REST_ROOT', {
    fallback: '/api/rest',
    meaning: 'Path under which interfaces B and C are mounted.',
    allowed: 'an absolute path of lower-case segments without a slash at the end',
    accepts: (path) => /^(\/[a-z0-9_-]+)+$/.test(path),
  }),
  corsOrigins: list('CORS_ORIGINS', {
    meaning:
      'Origins whose pages may call the API from a browser. They never receive cookies. See [CORS](../how-to/cors.md).',
    allowed: 'a list of origins, such as `https://shop.example.com,http://localhost:3000`, or `*`',
    accepts: (origin) => origin === '*' || URL.parse(origin)?.origin === origin,
  }),
  compression: toggle('COMPRESSION', {
    fallback: true,
    meaning: 'Whether responses are compressed. `off` if a proxy in front does it.',
  }),
  keepAliveSeconds: integer('KEEP_ALIVE_SECONDS', {
    fallback: 65,
    least: 1,
    most: 600,
    meaning:
      'How long an idle connection to a process or a separate subgraph stays open. It must be longer than the idle time of the load balancer in front.',
  }),
  drainSeconds: integer('DRAIN_SECONDS', {
    fallback: 0,
    least: 0,
    most: 60,
    meaning:
      'How long a process still accepts connections after a stop signal, while `/health/ready` returns 503.',
  }),
};

export function readHttp(environment: Environment) {
  const { tlsKey, tlsCert, keepAliveSeconds, drainSeconds, ...values } = readAll(httpSettings, environment);
  return {
    ...values,
    /** Files with which the process terminates TLS itself. */
    tls: readTls(tlsKey, tlsCert),
    /** Milliseconds that a connection without a request stays open. */
    keepAliveMs: keepAliveSeconds * 1000,
    /** Milliseconds for which a stopping process continues to answer, while `/health/ready` returns 503. */
    drainLeadMs: drainSeconds * 1000,
  };
}

function readTls(key: string | undefined, cert: string | undefined) {
  if (Boolean(key) !== Boolean(cert))
    throw new Error(`${key ? 'TLS_CERT' : 'TLS_KEY'} is not set. Set both TLS_KEY and TLS_CERT.`);
  return key && cert ? { key, cert } : undefined;
}

/** Returns whether only programs of this machine can reach a server at this host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}
