import { readSmtpUrl } from './readSmtpUrl.ts';

test.each([
  ['smtps://mail.example', { host: 'mail.example', port: 465, secure: true, auth: null }],
  ['smtp://mail.example', { port: 587, secure: false, startTls: 'required' }],
  ['smtp://mail.example:25?starttls=optional', { port: 25, startTls: 'optional' }],
  ['smtp://localhost:1025', { host: 'localhost', startTls: 'optional' }],
  ['smtp://[::1]:1025?starttls=never', { host: '::1', startTls: 'never' }],
  ['smtps://me%40shop.example:p%3Ass@mail.example', { auth: { user: 'me@shop.example', pass: 'p:ss' } }],
])('readSmtpUrl reads the server and the security of %s', (url, settings) => {
  expect(readSmtpUrl(url)).toMatchObject(settings);
});

test.each([
  'mail.example',
  'https://mail.example',
  'smtp://',
  'smtp://h?tls=no',
  'smtp://u:hidden@h?starttls=maybe',
])('readSmtpUrl refuses %s with a message that contains no password', (url) => {
  expect(() => readSmtpUrl(url)).toThrow(/^SMTP_URL (?:must have the form|accepts only the option)/);
  expect(() => readSmtpUrl(url)).not.toThrow(/hidden/);
});
