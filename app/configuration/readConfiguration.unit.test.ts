import { concerns, readConfiguration } from './readConfiguration.ts';

const tls = { TLS_KEY: 'key.pem', TLS_CERT: 'cert.pem' };
const bucket = { STORAGE: 's3', S3_BUCKET: 'files' };
const smtp = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'shop@example.com' };
const stripe = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRETS: 'whsec_1,whsec_2',
};
const measured = {
  METRICS_PORT: '9464',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  DRAIN_SECONDS: '5',
};

test('reads an empty environment as the demonstration on port 4000 with the embedded database', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 4000,
    host: '127.0.0.1',
    dataDir: '.data',
    mongodbUri: undefined,
    demonstration: true,
    introspection: true,
    registeredOperations: undefined,
    registeredOnly: false,
    signerKey: undefined,
    tls: undefined,
    concurrency: { maxRunning: 128, maxQueued: 128, maxQueueMs: 5000 },
    issuer: 'http://localhost:4000',
    privateIssuers: false,
    privateAiHosts: [],
    restRoot: '/api/rest',
    jobs: true,
    storage: 'auto',
    s3: undefined,
    smtp: undefined,
    mailFrom: 'no-reply@localhost',
    metrics: undefined,
    tracing: false,
    drainLeadMs: 0,
    rateLimits: true,
    payments: { provider: 'sandbox', manualSecrets: [] },
  });
});

test.each<[Record<string, string>, object]>([
  [{ DEMO: 'off' }, { introspection: false, payments: { provider: 'manual' } }],
  [{ DEMO: 'off', INTROSPECTION: 'on' }, { introspection: true }],
  [
    { REGISTERED_OPERATIONS: 'a.json', REGISTERED_ONLY: 'on' },
    { registeredOperations: 'a.json', registeredOnly: true },
  ],
  [{ SIGNER_KEY: 'k'.repeat(32) }, { signerKey: 'k'.repeat(32) }],
  [
    { MAX_REQUESTS: '8', MAX_QUEUED: '0', MAX_QUEUE_SECONDS: '2' },
    { concurrency: { maxRunning: 8, maxQueued: 0, maxQueueMs: 2000 } },
  ],
  [tls, { tls: { key: 'key.pem', cert: 'cert.pem' }, issuer: 'https://localhost:4000' }],
  [{ PRIVATE_ISSUERS: 'on' }, { privateIssuers: true }],
  [
    { DEMO: 'off', AI_PRIVATE_HOSTS: 'localhost:11434,models.internal' },
    { privateAiHosts: ['localhost:11434', 'models.internal'] },
  ],
  [{ RATE_LIMITS: 'on', DEMO: 'off', HOST: '0.0.0.0' }, { rateLimits: true }],
  [{ RATE_LIMITS: 'off' }, { rateLimits: false }],
  [{ RATE_LIMITS: 'off', HOST: '::1' }, { rateLimits: false }],
  [bucket, { storage: 's3', s3: { bucket: 'files', region: 'us-east-1', endpoint: undefined } }],
  [
    { ...bucket, S3_REGION: 'eu-1', S3_ENDPOINT: 'http://127.0.0.1:9000' },
    { s3: { bucket: 'files', region: 'eu-1', endpoint: 'http://127.0.0.1:9000' } },
  ],
  [smtp, { smtp: { host: 'mail.example', port: 465 }, mailFrom: 'shop@example.com' }],
  [measured, { metrics: { port: 9464, host: '127.0.0.1' }, tracing: true, drainLeadMs: 5000 }],
  [{ ...measured, METRICS_HOST: '0.0.0.0' }, { metrics: { host: '0.0.0.0' } }],
  [
    stripe,
    {
      payments: {
        provider: 'stripe',
        stripe: { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1', 'whsec_2'], apiBase: null },
      },
    },
  ],
])('reads the environment %j as %j', (environment, configuration) => {
  expect(readConfiguration(environment)).toMatchObject(configuration);
});

test.each<[Record<string, string>, RegExp]>([
  [{ REGISTERED_ONLY: 'on' }, /REGISTERED_OPERATIONS/],
  [{ SIGNER_KEY: 'short' }, /^SIGNER_KEY cannot be used; it must be at least 32 characters/],
  [{ ROUTER_SECRET: 'short' }, /^ROUTER_SECRET cannot be used; it must be at least 32 bytes/],
  [{ SMTP_URL: 'mail.example' }, /^SMTP_URL must have the form smtps/],
  [{ MAX_REQUESTS: '0' }, /^MAX_REQUESTS is "0"; it must be a whole number from 1/],
  [{ TLS_KEY: 'key.pem' }, /^TLS_CERT is not set/],
  [{ DEMO: 'off', PRIVATE_ISSUERS: 'on' }, /^PRIVATE_ISSUERS is for development/],
  [{ STORAGE: 's3' }, /S3_BUCKET is not set/],
  [{ METRICS_PORT: 'yes' }, /METRICS_PORT/],
  [{ ...smtp, MAIL_FROM: '' }, /^MAIL_FROM is not set/],
  [{ PAYMENTS: 'stripe' }, /STRIPE_SECRET_KEY/],
  [{ ...stripe, STRIPE_WEBHOOK_SECRETS: '' }, /STRIPE_WEBHOOK_SECRETS/],
  [{ ...stripe, STRIPE_API_BASE: 'http://x/y' }, /STRIPE_API_BASE/],
  [{ PAYMENT_WEBHOOK_SECRETS: 'short' }, /PAYMENT_WEBHOOK_SECRETS/],
])('refuses the environment %j and names the variable: %s', (environment, message) => {
  expect(() => readConfiguration(environment)).toThrow(message);
});

test.each([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.0.7' },
  { HOST: '127.0.0.1.example.com' },
  { DEMO: 'off' },
])('refuses to switch off rate limits with %j', (environment) => {
  expect(() => readConfiguration({ ...environment, RATE_LIMITS: 'off' })).toThrow(
    /^RATE_LIMITS is "off", .* Unset it, or use it with DEMO=on and HOST=127.0.0.1/,
  );
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['DEMO', 'yes'],
  ['REST_ROOT', 'api/'],
  ['TRUSTED_PROXIES', '-1'],
  ['JOBS', 'yes'],
  ['AI_PRIVATE_HOSTS', 'http://localhost:11434'],
  ['RATE_LIMITS', 'none'],
  ['MAIL_FROM', 'Shop <no-reply@example.com>'],
  ['STORAGE', 'tape'],
  ['LOG_LEVEL', 'loud'],
  ['SEO_URL', 'seo'],
  ['SUBGRAPH_LISTEN', '4101'],
  ['EMBEDDED_DB', 'postgres'],
  ['CORS_ORIGINS', 'https://shop.example/'],
  ['S3_ENDPOINT', 's3.example.com'],
  ['S3_ENDPOINT', 'ftp://s3.example.com'],
  ['S3_ENDPOINT', 'https://s3.example.com/bucket'],
])('refuses %s=%s and states the variable and its allowed values', (name, value) => {
  expect(() => readConfiguration({ ...bucket, [name]: value })).toThrow(`${name} is "${value}"; it must be `);
});

test.each([
  ['SIGNER_KEY', 'a-secret'],
  ['STRIPE_SECRET_KEY', 'a-secret'],
  ['PAYMENT_WEBHOOK_SECRETS', 'a-secret'],
])('does not repeat the secret when it refuses %s', (name, value) => {
  expect(() => readConfiguration({ [name]: value })).toThrow(name);
  expect(() => readConfiguration({ [name]: value })).not.toThrow(value);
});

test('treats an empty variable as unset', () => {
  const names = Object.values(concerns).flatMap((settings) =>
    Object.values(settings).map(({ name }) => name),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(readConfiguration(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(
    readConfiguration({}),
  );
});

test('takes the subgraph addresses from supergraph.yaml unless a variable overrides one', () => {
  expect(readConfiguration({ SEO_URL: 'http://seo:4102/graphql' }).subgraphUrls).toEqual({
    identity: 'http://127.0.0.1:4101/graphql',
    seo: 'http://seo:4102/graphql',
    translation: 'http://127.0.0.1:4103/graphql',
  });
});
