import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { cpuMsOf } from '../../../test/support/cpuMsOf.ts';
import { createForge, refusalOf, refusedBy } from '../../../test/support/people/forgeTokens.ts';
import { listenLocally } from '../../../test/support/servers/listenLocally.ts';
import { readAuthorization, readBearerToken } from './readBearerToken.ts';

const { token, options } = createForge();
const genuine = token();
const bearer = `Bearer ${genuine}`;

test.each([
  ...refusedBy('token_missing', 'authorization', {
    'no Authorization header': undefined,
    'an empty list of Authorization headers': [],
    'an empty Authorization header': '',
    'another scheme': 'Basic dXNlcjpwYXNz',
    'a scheme that only begins with Bearer': `BearerX ${genuine}`,
    'a token without scheme': genuine,
  }),
  ...refusedBy('ambiguous_credentials', 'authorization', {
    'two Authorization headers': [bearer, bearer],
    'two joined Authorization headers': `${bearer}, ${bearer}`,
    'a Basic header joined with another': `Basic dTpw, ${bearer}`,
  }),
  ...refusedBy('token_malformed', 'authorization', {
    'a scheme without token': 'Bearer',
    'a scheme and spaces': 'Bearer   ',
    'two tokens': `Bearer ${genuine} ${genuine}`,
    'a quoted token': `Bearer "${genuine}"`,
    'a tab before the token': `Bearer\t${genuine}`,
    'a space after the token': `Bearer ${genuine} `,
    'a line feed after the token': `Bearer ${genuine}\n`,
    'a NUL after the token': `Bearer ${genuine}\0`,
    'a parameter after the token': `Bearer ${genuine}; a=b`,
    'a comma before the token': `,${genuine}`,
    'a token with letters outside of ASCII': 'Bearer tökén',
  }),
  ...refusedBy('token_malformed', 'size', { 'a token of more than 8 KiB': `Bearer ${'A'.repeat(8193)}` }),
])('a request with %s is refused', async (_, authorization, code, rule) => {
  expect(await refusalOf(authorization, options)).toMatchObject({ code, cause: rule });
});

test.each([
  ['in lower case', `bearer ${genuine}`],
  ['in upper case', `BEARER ${genuine}`],
  ['followed by several spaces', `Bearer   ${genuine}`],
])('a Bearer scheme %s is accepted', (_, authorization) => {
  expect(readBearerToken(authorization)).toBe(genuine);
  expect(readBearerToken([authorization])).toBe(genuine);
});

test('a token of 8 KiB is accepted, and a megabyte of junk is refused within 1 s', () => {
  expect(readBearerToken(`Bearer ${'A'.repeat(8192)}`)).toHaveLength(8192);
  for (const piece of ['Bearer ', ' ', ', ', ', bearer', '=', 'a,']) {
    const junk = `Bearer ${piece.repeat(1 << 18)}!`;
    expect(cpuMsOf(() => expect(() => readBearerToken(junk)).toThrow())).toBeLessThan(1000);
  }
});

test('a header whose name has the length of Authorization is ignored', () => {
  expect(readAuthorization(['x-thirteen-ch', 'Bearer a'])).toBeUndefined();
});

test('a second Authorization line is read, although Node omits it from `headers`', async () => {
  const seen: IncomingMessage[] = [];
  const server = await listenLocally(
    createServer((request, response) => {
      seen.push(request);
      response.end();
    }),
  );
  const send = (...lines: string[]): Promise<unknown> => {
    const request = ['GET / HTTP/1.1', 'Host: localhost', 'Connection: close', ...lines, '', ''];
    const socket = connect(server.port, '127.0.0.1').resume().end(request.join('\r\n'));
    return new Promise((done) => socket.on('close', done));
  };
  await send('authorization: Bearer a', 'X-Other: Bearer c', 'AUTHORIZATION: Bearer b');
  await send('Authorization: Bearer a');
  await send();
  await server.close();
  expect(seen[0]?.headers.authorization).toBe('Bearer a');
  const read = seen.map(({ rawHeaders }) => readAuthorization(rawHeaders));
  expect(read).toEqual([['Bearer a', 'Bearer b'], 'Bearer a', undefined]);
});
