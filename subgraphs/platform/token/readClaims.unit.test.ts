import { createForge } from '../../../test/support/people/forgeTokens.ts';
import { newId } from '../ids/newId.ts';
import { readClaims } from './readClaims.ts';

const { payload } = createForge();
const { iat } = payload;
const word = (length: number): string => 'w'.repeat(length);
const words = (count: number): string[] => Array.from({ length: count }, () => 'buyer');

/** The last value that fits, and the first one that does not. */
const limits: [claim: string, fits: unknown, tooMuch: unknown][] = [
  ['installation', `ins_${word(40)}`, `ins_${word(41)}`],
  ['installation', 'ins_0', 'ins_'],
  ['installation', 'ins_demo', 'ins_demo '],
  ['client_id', word(64), word(65)],
  ['client_id', 'a', ''],
  ['client_id', 'Az09_:.-', 'a b'],
  ['jti', word(64), word(65)],
  ['jti', word(16), word(15)],
  ['iss', word(2048), word(2049)],
  ['iss', 'i', ''],
  ['scope', word(2048), word(2049)],
  ['roles', words(32), words(33)],
  ['roles', [], [...words(1), '']],
  ['amr', ['pwd', 'otp'], ['pwd', { otp: true }]],
  ['iat', iat, Number.MAX_SAFE_INTEGER + 1],
  ['nbf', 1, 0],
  ['exp', iat + 1, iat],
  ['exp', iat + 900, iat + 901],
  ['act', { sub: newId('operator') }, { sub: newId('user') }],
  ['act', { sub: newId('operator') }, {}],
];

test.each(limits)(
  'the claim %s is accepted at its limit and refused beyond it (row %#)',
  (claim, fits, tooMuch) => {
    expect(readClaims({ ...payload, exp: iat + 600, [claim]: fits })).not.toBeNull();
    expect(readClaims({ ...payload, exp: iat + 600, [claim]: tooMuch })).toBeNull();
  },
);

const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
  sub: [
    { $ne: null },
    [payload.sub],
    'admin',
    `${payload.sub}\n`,
    payload.sub.toLowerCase(),
    newId('listing'),
  ],
  installation: [{ $gt: '' }, 'ins_../other', [payload.installation]],
  sid: ['ses_1', { $exists: true }, payload.sub, [payload.sid]],
  jti: [7, ''],
  aud: [[payload.aud], [payload.aud, 'https://other.example/api/v1'], {}, ''],
  iat: [iat + 0.5, 'yesterday', -1],
  exp: [payload.exp + 0.5, iat + 30 * 365 * 86_400, Number.MAX_VALUE],
  scope: [['user'], ' user', 'user\tadmin', ''],
  roles: ['installation_admin', [{ name: 'buyer' }]],
  auth_time: ['0', true],
  amr: ['otp', [['otp']]],
  acr: [{}],
  client_id: [{ $ne: null }, null],
  dealer: ['dlr_1'],
  act: ['opr_1', 'a', null, 7, [], [newId('operator')], { sub: newId('operator'), act: {} }],
};
const wrong = Object.entries(wrongValues).flatMap(([claim, values]) =>
  values.map((value) => [claim, value] as const),
);

test.each(wrong)('the claim %s is refused with the value %j', (claim, value) => {
  expect(readClaims({ ...payload, [claim]: value })).toBeNull();
});

test.each(['sub', 'installation', 'sid', 'jti', 'iat', 'exp', 'aud'])('the claim %s is required', (claim) => {
  expect(
    readClaims(Object.fromEntries(Object.entries(payload).filter(([name]) => name !== claim))),
  ).toBeNull();
});

test.each([
  ['an operator', { sub: newId('operator') }],
  ['an operator who acts for a user', { act: { sub: newId('operator') } }],
])('a token of %s has a maximum lifetime of 600 s', (_, claims) => {
  expect(readClaims({ ...payload, ...claims, exp: iat + 600 })).not.toBeNull();
  expect(readClaims({ ...payload, ...claims, exp: iat + 601 })).toBeNull();
});

test.each([undefined, null, 'text', 7, true, [], [payload], () => payload])(
  'the payload %p is refused',
  (value) => {
    expect(readClaims(value)).toBeNull();
  },
);

test('claims that the payload inherits are ignored', () => {
  const { sub, ...rest } = payload;
  expect(readClaims(Object.assign(Object.create({ sub }), rest))).toBeNull();
});

test('a token is valid from the latest of its iat, nbf and auth_time', () => {
  expect(readClaims({ ...payload, nbf: iat + 7, auth_time: iat - 50 })?.startsAt).toBe(iat + 7);
  expect(readClaims({ ...payload, nbf: iat - 7, auth_time: iat + 50 })?.startsAt).toBe(iat + 50);
  expect(readClaims({ ...payload, nbf: undefined, auth_time: undefined })).toBeNull();
  const { nbf: _nbf, auth_time: _authTime, ...rest } = payload;
  expect(readClaims(rest)).toMatchObject({ startsAt: iat, token: { authTime: 0 } });
});

test('a token without the optional claims has no client, class, dealer or actor', () => {
  const { acr: _acr, client_id: _client, ...rest } = payload;
  const token = readClaims(rest)?.token ?? {};
  expect(token).toMatchObject({ clientId: null });
  for (const member of ['acr', 'dealerId', 'act']) expect(token).not.toHaveProperty(member);
});
