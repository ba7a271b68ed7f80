import { readConfiguration } from './readConfiguration.ts';

test('an empty environment is the demonstration on port 4000 with the embedded database', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 4000,
    host: '127.0.0.1',
    dataDir: '.data',
    mongodbUri: undefined,
    demonstration: true,
    issuer: 'http://localhost:4000',
    restRoot: '/api/rest',
    jobs: true,
    storage: 'auto',
    s3: undefined,
    payments: { provider: 'sandbox', manualSecrets: [] },
  });
});

test('the schema is open to questions in the demonstration, and elsewhere only if it is said so', () => {
  expect(readConfiguration({}).introspection).toBe(true);
  expect(readConfiguration({ DEMO: 'off' }).introspection).toBe(false);
  expect(readConfiguration({ DEMO: 'off', INTROSPECTION: 'on' }).introspection).toBe(true);
});

test('nothing but registered operations is executed only where there are some', () => {
  expect(readConfiguration({})).toMatchObject({ registeredOperations: undefined, registeredOnly: false });
  expect(readConfiguration({ REGISTERED_OPERATIONS: 'a.json', REGISTERED_ONLY: 'on' })).toMatchObject({
    registeredOperations: 'a.json',
    registeredOnly: true,
  });
  expect(() => readConfiguration({ REGISTERED_ONLY: 'on' })).toThrow('REGISTERED_OPERATIONS');
});

test('the key of the signer is a long one', () => {
  expect(readConfiguration({}).signerKey).toBeUndefined();
  expect(readConfiguration({ SIGNER_KEY: 'k'.repeat(32) }).signerKey).toBe('k'.repeat(32));
  expect(() => readConfiguration({ SIGNER_KEY: 'short' })).toThrow(/^SIGNER_KEY is too short/);
});

test('TLS needs a key with its certificate, and HTTP/2 needs TLS', () => {
  const pair = { TLS_KEY: 'key.pem', TLS_CERT: 'cert.pem' };
  expect(readConfiguration({})).toMatchObject({ tls: undefined, http2: false });
  expect(readConfiguration({ ...pair, HTTP2: 'on' })).toMatchObject({
    tls: { key: 'key.pem', cert: 'cert.pem' },
    http2: true,
    issuer: 'https://localhost:4000',
  });
  expect(() => readConfiguration({ TLS_KEY: 'key.pem' })).toThrow(/^TLS_CERT is not set/);
  expect(() => readConfiguration({ HTTP2: 'on' })).toThrow(/^HTTP2 is "on" without TLS_KEY/);
});

test('issuers at private addresses are for development only', () => {
  expect(readConfiguration({}).privateIssuers).toBe(false);
  expect(readConfiguration({ PRIVATE_ISSUERS: 'on' }).privateIssuers).toBe(true);
  expect(() => readConfiguration({ DEMO: 'off', PRIVATE_ISSUERS: 'on' })).toThrow(
    /^PRIVATE_ISSUERS is for development/,
  );
});

test('providers of models at private addresses are those that the operator lists', () => {
  expect(readConfiguration({}).privateAiHosts).toEqual([]);
  expect(
    readConfiguration({ DEMO: 'off', AI_PRIVATE_HOSTS: 'localhost:11434,models.internal' }).privateAiHosts,
  ).toEqual(['localhost:11434', 'models.internal']);
});

test.each([
  [{}, true],
  [{ RATE_LIMITS: 'on', DEMO: 'off', HOST: '0.0.0.0' }, true],
  [{ RATE_LIMITS: 'off' }, false],
  [{ RATE_LIMITS: 'off', HOST: '::1' }, false],
])('budgets hold unless they are switched off on this machine: %j', (environment, expected) => {
  expect(readConfiguration(environment).rateLimits).toBe(expected);
});

test.each([
  { HOST: '0.0.0.0' },
  { HOST: '::' },
  { HOST: '192.168.0.7' },
  { HOST: '127.0.0.1.example.com' },
  { DEMO: 'off' },
])('budgets are not switched off for %j, which others reach or which is no demonstration', (environment) => {
  expect(() => readConfiguration({ ...environment, RATE_LIMITS: 'off' })).toThrow(
    /^RATE_LIMITS is "off", .* leave it unset, or use it with DEMO=on and HOST=127.0.0.1/,
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
])('%s=%s is refused with the variable named and what it may say', (name, value) => {
  expect(() => readConfiguration({ [name]: value })).toThrow(
    new RegExp(`^${name} is "${value}"; it must be `),
  );
});

test('files go to a bucket that is named', () => {
  expect(readConfiguration({ STORAGE: 's3', S3_BUCKET: 'files' })).toMatchObject({
    storage: 's3',
    s3: { bucket: 'files', region: 'us-east-1', endpoint: undefined },
  });
  const elsewhere = {
    STORAGE: 's3',
    S3_BUCKET: 'files',
    S3_REGION: 'eu-1',
    S3_ENDPOINT: 'http://127.0.0.1:9000',
  };
  expect(readConfiguration(elsewhere)).toMatchObject({
    s3: { bucket: 'files', region: 'eu-1', endpoint: 'http://127.0.0.1:9000' },
  });
  expect(() => readConfiguration({ STORAGE: 's3' })).toThrow('S3_BUCKET is not set');
  for (const S3_ENDPOINT of ['s3.example.com', 'ftp://s3.example.com', 'https://s3.example.com/bucket'])
    expect(() => readConfiguration({ STORAGE: 's3', S3_BUCKET: 'files', S3_ENDPOINT })).toThrow(
      `S3_ENDPOINT is "${S3_ENDPOINT}"; it must be `,
    );
});

test('nothing is measured unless it is asked for, and metrics stay on this machine unless it is said', () => {
  expect(readConfiguration({})).toMatchObject({ metrics: undefined, tracing: false, drainLeadMs: 0 });
  const asked = {
    METRICS_PORT: '9464',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
    DRAIN_SECONDS: '5',
  };
  expect(readConfiguration(asked)).toMatchObject({
    metrics: { port: 9464, host: '127.0.0.1' },
    tracing: true,
    drainLeadMs: 5000,
  });
  expect(readConfiguration({ ...asked, METRICS_HOST: '0.0.0.0' }).metrics?.host).toBe('0.0.0.0');
  expect(() => readConfiguration({ METRICS_PORT: 'yes' })).toThrow('METRICS_PORT');
});

test('mails go to files, or to a server that is told from whom', () => {
  expect(readConfiguration({})).toMatchObject({ smtp: undefined, mailFrom: 'no-reply@localhost' });
  const settings = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'shop@example.com' };
  expect(readConfiguration(settings)).toMatchObject({
    smtp: { host: 'mail.example', port: 465 },
    mailFrom: 'shop@example.com',
  });
  expect(() => readConfiguration({ ...settings, MAIL_FROM: '' })).toThrow(/^MAIL_FROM is not set/);
});

test('payments are tried out in the demonstration, booked by hand elsewhere, and Stripe needs its secrets', () => {
  expect(readConfiguration({}).payments.provider).toBe('sandbox');
  expect(readConfiguration({ DEMO: 'off' }).payments.provider).toBe('manual');
  const stripe = {
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRETS: 'whsec_1,whsec_2',
  };
  expect(readConfiguration(stripe).payments).toMatchObject({
    provider: 'stripe',
    stripe: { secretKey: 'sk_test_1', webhookSecrets: ['whsec_1', 'whsec_2'], apiBase: null },
  });
  expect(() => readConfiguration({ PAYMENTS: 'stripe' })).toThrow('STRIPE_SECRET_KEY');
  expect(() => readConfiguration({ ...stripe, STRIPE_WEBHOOK_SECRETS: '' })).toThrow(
    'STRIPE_WEBHOOK_SECRETS',
  );
  expect(() => readConfiguration({ ...stripe, STRIPE_API_BASE: 'http://x/y' })).toThrow('STRIPE_API_BASE');
  expect(() => readConfiguration({ PAYMENT_WEBHOOK_SECRETS: 'short' })).toThrow('PAYMENT_WEBHOOK_SECRETS');
});
