import {
  type ConcurrencySettings,
  defaultConcurrency,
} from '../../subgraphs/platform/concurrency/ConcurrencyLimit.ts';
import type { PaymentSettings } from '../../subgraphs/platform/context/PaymentSettings.ts';
import { readSmtpUrl, type SmtpSettings } from '../../subgraphs/platform/mail/readSmtpUrl.ts';
import type { S3Settings } from '../../subgraphs/platform/storage/s3Storage.ts';
import { type Environment, integer, oneOf } from './readVariable.ts';
import { tlsSettings } from './tlsSettings.ts';

/** What the process is told by its environment; see the table in the README. */
export interface Configuration {
  port: number;
  /** Interface to listen on. */
  host: string;
  /** Folder of the embedded database, uploaded files and, in demonstration mode, the root secret. */
  dataDir: string;
  /** Unset: the embedded database. */
  mongodbUri: string | undefined;
  /** Whether a first start creates the demonstration installations. */
  demonstration: boolean;
  /** Fixes the passwords of the demonstration's people; random ones are printed once when unset. */
  demonstrationPassword: string | undefined;
  /** Serves one installation whatever the host name says. */
  installationId: string | undefined;
  issuer: string;
  routerSecret: string | undefined;
  /** What an engine of others brings to the signer. */
  signerKey: string | undefined;
  trustedProxies: number;
  /** Path under which interfaces B and C answer. */
  restRoot: string;
  /** Supergraph that a router alone serves; unset: the one of the release. */
  supergraph: string | undefined;
  /** File of plans that were made before; unset: those of the release, if there are any. */
  plans: string | undefined;
  /** False: nothing is planned that was not planned before. */
  nativePlanner: boolean;
  jit: boolean;
  /** Whether GraphQL clients may ask for the schema; the explorer needs it. */
  introspection: boolean;
  logLevel: string;
  /** Where a subgraph alone listens, when its address is that of a balancer. */
  subgraphListen: { port: number; host: string } | undefined;
  /** Where `/metrics` is served; unset: nothing is counted. */
  metrics: { port: number; host: string } | undefined;
  /** Whether spans are sent to a collector of OpenTelemetry. */
  tracing: boolean;
  /** Origins whose pages may call the API from a browser; `*`: all. */
  corsOrigins: readonly string[];
  /** Whether answers are compressed; off where a proxy in front does it. */
  compression: boolean;
  /** Executions that run concurrently, and that wait. */
  concurrency: ConcurrencySettings;
  /** Files in PEM with which the process ends TLS itself; unset: something in front does. */
  tls: { key: string; cert: string } | undefined;
  /** Milliseconds that a connection without a request stays open. */
  keepAliveMs: number;
  /** Milliseconds in which a process that was asked to end answers on, while `/health/ready` says 503. */
  drainLeadMs: number;
  /** File that distinct GraphQL operations are appended to; unset: none. */
  operationsLog: string | undefined;
  /** File or folder of registered GraphQL operations; unset: none. */
  registeredOperations: string | undefined;
  /** Whether `/graphql` executes nothing else. */
  registeredOnly: boolean;
  /** False counts no execution: for measurements, on this machine alone. */
  rateLimits: boolean;
  /** Whether this process takes part in the work that no request does. */
  jobs: boolean;
  /** Development only: external issuers may be at private addresses, and speak plain http. */
  privateIssuers: boolean;
  /** `host:port` of providers of models at private addresses: the list is the operator's, not an installation's. */
  privateAiHosts: readonly string[];
  /** Unset: mails are written to files. */
  smtp: SmtpSettings | undefined;
  /** Mailbox that mails come from. */
  mailFrom: string;
  /** Where files are kept; `auto`: on disk in one process, in the database as soon as subgraphs run apart. */
  storage: 'auto' | 'disk' | 'gridfs' | 's3';
  /** Set with `STORAGE=s3`. */
  s3: S3Settings | undefined;
  /** How payments are taken. */
  payments: PaymentSettings;
}

/** Settings that belong to development: elsewhere they would open a door. */
function developmentOnly(isOn: boolean, name: string, demonstration: boolean): boolean {
  if (!isOn || demonstration) return isOn;
  throw new Error(`${name} is for development: unset it, or leave DEMO on.`);
}

/**
 * Reads and checks the settings.
 *
 * @throws Error that names the variable, what it says and what it may say
 */
export function readConfiguration(environment: Environment): Configuration {
  const port = integer(environment, 'PORT', 4000, 0, 65_535);
  const demonstration = oneOf(environment, 'DEMO', ['on', 'off'], 'on') === 'on';
  const host = environment.HOST ?? '127.0.0.1';
  const { tls } = tlsSettings(environment);
  return {
    port,
    host,
    dataDir: environment.DATA_DIR ?? '.data',
    mongodbUri: environment.MONGODB_URI || undefined,
    demonstration,
    demonstrationPassword: environment.DEMO_PASSWORD || undefined,
    installationId: environment.INSTALLATION_ID || undefined,
    issuer: environment.ISSUER ?? `${tls ? 'https' : 'http'}://localhost:${port}`,
    routerSecret: environment.ROUTER_SECRET || undefined,
    signerKey: signerKey(environment),
    trustedProxies: integer(environment, 'TRUSTED_PROXIES', 0, 0, 10),
    restRoot: path(environment, 'REST_ROOT', '/api/rest'),
    supergraph: environment.SUPERGRAPH || undefined,
    plans: environment.PLANS || undefined,
    nativePlanner: oneOf(environment, 'NATIVE_PLANNER', ['on', 'off'], 'on') === 'on',
    jit: oneOf(environment, 'JIT', ['on', 'off'], 'on') === 'on',
    introspection: oneOf(environment, 'INTROSPECTION', ['on', 'off'], demonstration ? 'on' : 'off') === 'on',
    ...storageSettings(environment),
    rateLimits: rateLimits(environment, { host, demonstration }),
    privateIssuers: developmentOnly(
      oneOf(environment, 'PRIVATE_ISSUERS', ['on', 'off'], 'off') === 'on',
      'PRIVATE_ISSUERS',
      demonstration,
    ),
    privateAiHosts: readHosts(environment, 'AI_PRIVATE_HOSTS'),
    jobs: oneOf(environment, 'JOBS', ['on', 'off'], 'on') === 'on',
    ...mailSettings(environment),
    payments: paymentSettings(environment, demonstration),
    subgraphListen: listenAddress(environment.SUBGRAPH_LISTEN),
    metrics: metricsAddress(environment),
    tracing: Boolean(
      environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    ),
    corsOrigins: readOrigins(environment, 'CORS_ORIGINS'),
    compression: oneOf(environment, 'COMPRESSION', ['on', 'off'], 'on') === 'on',
    concurrency: {
      maxRunning: integer(environment, 'MAX_REQUESTS', defaultConcurrency.maxRunning, 1, 100_000),
      maxQueued: integer(environment, 'MAX_QUEUED', defaultConcurrency.maxQueued, 0, 100_000),
      maxQueueMs:
        integer(environment, 'MAX_QUEUE_SECONDS', defaultConcurrency.maxQueueMs / 1000, 1, 60) * 1000,
    },
    tls,
    keepAliveMs: integer(environment, 'KEEP_ALIVE_SECONDS', 65, 1, 600) * 1000,
    drainLeadMs: integer(environment, 'DRAIN_SECONDS', 0, 0, 60) * 1000,
    operationsLog: environment.OPERATIONS_LOG || undefined,
    ...operationSettings(environment),
    logLevel: oneOf(
      environment,
      'LOG_LEVEL',
      ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
      'warn',
    ),
  };
}

function signerKey({ SIGNER_KEY: key }: Environment): string | undefined {
  if (!key) return undefined;
  if (key.length >= 32) return key;
  throw new Error(
    'SIGNER_KEY is too short: it needs at least 32 characters, as from `openssl rand -hex 32`.',
  );
}

function metricsAddress(environment: Environment): Configuration['metrics'] {
  if (!environment.METRICS_PORT) return undefined;
  const port = integer(environment, 'METRICS_PORT', 0, 0, 65_535);
  return { port, host: environment.METRICS_HOST || '127.0.0.1' };
}

function operationSettings(
  environment: Environment,
): Pick<Configuration, 'registeredOperations' | 'registeredOnly'> {
  const registeredOperations = environment.REGISTERED_OPERATIONS || undefined;
  const registeredOnly = oneOf(environment, 'REGISTERED_ONLY', ['on', 'off'], 'off') === 'on';
  if (registeredOnly && registeredOperations === undefined)
    throw new Error(
      'REGISTERED_ONLY is "on" without operations: name their file or folder in REGISTERED_OPERATIONS.',
    );
  return { registeredOperations, registeredOnly };
}

/** Without limits passwords can be guessed: nobody but this machine may reach such a process. */
function rateLimits(
  environment: Environment,
  { host, demonstration }: Pick<Configuration, 'host' | 'demonstration'>,
): boolean {
  if (oneOf(environment, 'RATE_LIMITS', ['on', 'off'], 'on') === 'on') return true;
  if (demonstration && isLoopback(host)) return false;
  throw new Error(
    'RATE_LIMITS is "off", which is for measurements on one machine with demonstration data only: leave it unset, or ' +
      'use it with DEMO=on and HOST=127.0.0.1.',
  );
}

/** Whether only programs of this machine can reach a server that listens there. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function readHosts(environment: Environment, name: string): readonly string[] {
  const hosts = (environment[name] ?? '').split(',').filter((host) => host !== '');
  const wrong = hosts.find((host) => URL.parse(`http://${host}`)?.host !== host);
  if (wrong === undefined) return hosts;
  throw new Error(`${name} is "${wrong}"; it must be a list, as in localhost:11434,models.internal.`);
}

function listenAddress(text: string | undefined): Configuration['subgraphListen'] {
  if (!text) return undefined;
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host !== '' && Number(port) <= 65_535) return { host, port: Number(port) };
  throw new Error(`SUBGRAPH_LISTEN is "${text}"; it must be an interface and a port, as in 0.0.0.0:4101.`);
}

function readOrigins(environment: Environment, name: string): readonly string[] {
  const origins = (environment[name] ?? '').split(',').filter((origin) => origin !== '');
  const wrong = origins.find((origin) => origin !== '*' && URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return origins;
  throw new Error(
    `${name} is "${wrong}"; it must be a list of origins, as in https://shop.example.com,http://localhost:3000, or *.`,
  );
}

function storageSettings(environment: Environment): Pick<Configuration, 'storage' | 's3'> {
  const storage = oneOf(environment, 'STORAGE', ['disk', 'gridfs', 's3', 'auto'], 'auto');
  if (storage !== 's3') return { storage, s3: undefined };
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = environment;
  if (!bucket) throw new Error('S3_BUCKET is not set; with STORAGE=s3 it must be the name of a bucket.');
  if (endpoint && !/^https?:\/\/[^/?#@]+\/?$/.test(endpoint))
    throw new Error(
      `S3_ENDPOINT is "${endpoint}"; it must be an address without a path, as in https://s3.example.com.`,
    );
  return { storage, s3: { bucket, region: region || 'us-east-1', endpoint: endpoint || undefined } };
}

/** Nobody sells for money that does not exist: outside the demonstration the sandbox must be asked for. */
function paymentSettings(environment: Environment, demonstration: boolean): PaymentSettings {
  const fallback = demonstration ? 'sandbox' : 'manual';
  const provider = oneOf(environment, 'PAYMENTS', ['stripe', 'sandbox', 'manual'], fallback);
  const manualSecrets = readSecrets(environment, 'PAYMENT_WEBHOOK_SECRETS');
  if (manualSecrets.some((secret) => secret.length < 32))
    throw new Error('PAYMENT_WEBHOOK_SECRETS holds a secret of fewer than 32 characters.');
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_BASE: apiBase } = environment;
  if (!secretKey && provider !== 'stripe') return { provider, manualSecrets };
  if (!secretKey || !/^[sr]k_(?:live|test)_\w+$/.test(secretKey))
    throw new Error('STRIPE_SECRET_KEY is not set, or no key: it must be, as in sk_test_… or sk_live_….');
  const webhookSecrets = readSecrets(environment, 'STRIPE_WEBHOOK_SECRETS');
  if (webhookSecrets.length === 0)
    throw new Error('STRIPE_WEBHOOK_SECRETS is not set; with a key of Stripe it must be, as in whsec_….');
  if (apiBase && !/^https?:\/\/[^/?#@]+\/?$/.test(apiBase))
    throw new Error(`STRIPE_API_BASE is "${apiBase}"; it must be an address without a path.`);
  return { provider, manualSecrets, stripe: { secretKey, webhookSecrets, apiBase: apiBase || null } };
}

function readSecrets(environment: Environment, name: string): readonly string[] {
  return (environment[name] ?? '').split(',').filter((secret) => secret !== '');
}

function mailSettings({ SMTP_URL, MAIL_FROM }: Environment): Pick<Configuration, 'smtp' | 'mailFrom'> {
  const smtp = SMTP_URL ? readSmtpUrl(SMTP_URL) : undefined;
  if (smtp && !MAIL_FROM)
    throw new Error('MAIL_FROM is not set; with SMTP_URL it must be, as in no-reply@example.com.');
  const mailFrom = MAIL_FROM || 'no-reply@localhost';
  if (/^[\w.+-]+@[\w.-]+$/.test(mailFrom)) return { smtp, mailFrom };
  throw new Error(
    `MAIL_FROM is "${mailFrom}"; it must be a mailbox without a name, as in no-reply@example.com.`,
  );
}

function path(environment: Environment, name: string, fallback: string): string {
  const text = environment[name] ?? fallback;
  if (/^(\/[a-z0-9_-]+)+$/.test(text)) return text;
  throw new Error(
    `${name} is "${text}"; it must be an absolute path of lower-case segments without a slash at the end.`,
  );
}
