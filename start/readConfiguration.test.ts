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
  });
});

test('the schema is open to questions in the demonstration, and elsewhere only if it is said so', () => {
  expect(readConfiguration({}).introspection).toBe(true);
  expect(readConfiguration({ DEMO: 'off' }).introspection).toBe(false);
  expect(readConfiguration({ DEMO: 'off', INTROSPECTION: 'on' }).introspection).toBe(true);
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'http'],
  ['DEMO', 'yes'],
  ['REST_ROOT', 'api/'],
  ['TRUSTED_PROXIES', '-1'],
  ['JOBS', 'yes'],
  ['MAIL_FROM', 'Shop <no-reply@example.com>'],
  ['STORAGE', 's3'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused with the variable named and what it may say', (name, value) => {
  expect(() => readConfiguration({ [name]: value })).toThrow(
    new RegExp(`^${name} is "${value}"; it must be `),
  );
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
