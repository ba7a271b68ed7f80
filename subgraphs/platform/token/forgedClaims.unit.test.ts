import { newId } from '../ids/newId.ts';
import { asBearer, createForge, refusalOf, refusedBy } from './forgeTokens.ts';

const { payload, nowSeconds, options, token } = createForge();
const { iss, aud, exp } = payload;
const claims = (changed: object): string => token({ payload: { ...payload, ...changed } });
const without = (name: string): string =>
  token({ payload: Object.fromEntries(Object.entries(payload).filter(([claim]) => claim !== name)) });
const spelled = JSON.stringify(payload);
const operator = newId('operator');

const wrongValues: [name: string, value: unknown][] = [
  ['sub', { $ne: null }],
  ['sub', [payload.sub]],
  ['sub', 'admin'],
  ['sub', `${payload.sub}\n`],
  ['sub', payload.sub.toLowerCase()],
  ['sub', newId('listing')],
  ['installation', { $gt: '' }],
  ['installation', 'ins_'],
  ['installation', 'ins_../other'],
  ['installation', [payload.installation]],
  ['sid', 'ses_1'],
  ['sid', { $exists: true }],
  ['sid', payload.sub],
  ['jti', 7],
  ['jti', ''],
  ['jti', 'x'.repeat(65)],
  ['aud', [aud]],
  ['aud', [aud, 'https://other.example/api/v1']],
  ['aud', {}],
  ['aud', ''],
  ['iat', nowSeconds + 0.5],
  ['iat', 'yesterday'],
  ['iat', -1],
  ['exp', exp + 0.5],
  ['exp', nowSeconds + 900],
  ['exp', nowSeconds + 30 * 365 * 86_400],
  ['exp', Number.MAX_VALUE],
  ['scope', ['user']],
  ['scope', ' user'],
  ['scope', 'user\tadmin'],
  ['scope', ''],
  ['roles', 'installation_admin'],
  ['roles', [{ name: 'buyer' }]],
  ['auth_time', '0'],
  ['auth_time', true],
  ['amr', 'otp'],
  ['amr', [['otp']]],
  ['acr', {}],
  ['client_id', { $ne: null }],
  ['client_id', null],
  ['dealer', 'dlr_1'],
  ['act', 'opr_1'],
  ['act', { sub: payload.sub }],
  ['act', { sub: operator, act: {} }],
];

const schema = [
  ...['sub', 'installation', 'sid', 'jti', 'iat', 'exp', 'aud'].flatMap((name) =>
    refusedBy('token_invalid', 'claims', { [`no ${name}`]: `Bearer ${without(name)}` }),
  ),
  ...wrongValues.flatMap(([name, value]) =>
    refusedBy('token_invalid', 'claims', {
      [`${name} ${JSON.stringify(value).slice(0, 60)}`]: `Bearer ${claims({ [name]: value })}`,
    }),
  ),
  ...refusedBy(
    'token_invalid',
    'claims',
    asBearer({
      'a life of 901 s': claims({ exp: payload.iat + 901 }),
      'an end before the start': claims({ iat: nowSeconds + 20, exp: nowSeconds + 10 }),
      'an operator with 601 s': claims({ sub: operator, exp: payload.iat + 601 }),
      'an operator behind a token of 601 s': claims({ act: { sub: operator }, exp: payload.iat + 601 }),
    }),
  ),
];

const byTheLibrary = refusedBy(
  'token_invalid',
  'verification',
  asBearer({
    'no iss': without('iss'),
    'another issuer': claims({ iss: 'https://evil.example' }),
    'the issuer with a slash': claims({ iss: `${iss}/` }),
    'a list of issuers': claims({ iss: [iss] }),
    'exp as a text': claims({ exp: String(exp) }),
    'exp null': claims({ exp: null }),
    'nbf as a text': claims({ nbf: '0' }),
    'a payload that is a list': token({ payload: [payload] }),
    'a payload that is a text': token({ payload: 'user' }),
    'a payload that is null': token({ payload: 'null' }),
  }),
);

const audience = refusedBy(
  'token_invalid',
  'audience',
  asBearer({
    'an unknown installation': claims({ installation: 'ins_unknown' }),
    'a member of every object as installation': claims({ installation: 'ins_constructor' }),
    'a foreign installation with the own audience': claims({ installation: 'ins_other' }),
    'the audience of another installation': claims({ aud: 'https://other.example/api/v1' }),
    'an audience that only begins alike': claims({ aud: `${aud}/` }),
  }),
);

const invalidUtf8 = Buffer.concat([
  Buffer.from('{"x":"'),
  Buffer.of(0xff),
  Buffer.from(`",${spelled.slice(1)}`),
]);
const spelling = refusedBy(
  'token_invalid',
  'spelling',
  asBearer({
    'two subs': token({ payload: `{"sub":"${newId('user')}",${spelled.slice(1)}` }),
    'two exps': token({ payload: `{"exp":${exp + 9e9},${spelled.slice(1)}` }),
    'two members deeper down': token({ payload: spelled.replace(/}$/, ',"x":{"a":1,"a":2}}') }),
    'spaces in the payload': token({ payload: JSON.stringify(payload, null, 1) }),
    'a number in another spelling': token({ payload: spelled.replace(/"exp":(\d+)/, '"exp":$1.0') }),
    'invalid UTF-8': token({ payload: invalidUtf8 }),
  }),
);

const times = [
  ...refusedBy(
    'token_expired',
    'time',
    asBearer({
      'exp 30 s ago': claims({ iat: nowSeconds - 630, exp: nowSeconds - 30 }),
      'exp in 1970': claims({ exp: 1 }),
      'exp zero': claims({ exp: 0 }),
    }),
  ),
  ...refusedBy(
    'token_not_yet_valid',
    'time',
    asBearer({
      'nbf in 31 s': claims({ nbf: nowSeconds + 31 }),
      'iat in 31 s': claims({ iat: nowSeconds + 31, nbf: nowSeconds }),
      'a sign-in in the future': claims({ auth_time: nowSeconds + 31 }),
    }),
  ),
];

const rows = [...schema, ...byTheLibrary, ...audience, ...spelling, ...times];

test.each(rows)('%s is refused, although rightly signed', async (_, authorization, code, rule) => {
  const refusal = await refusalOf(authorization, options);
  expect({ code: refusal.code, rule: refusal.cause }).toEqual({ code, rule });
});

test('every refusal of a token is a 401 with the challenge of RFC 6750', async () => {
  for (const [, authorization, code] of rows) {
    const { details, status } = await refusalOf(authorization, options);
    const description = code === 'token_expired' ? ', error_description="expired"' : '';
    expect({ challenge: details.challenge, status }).toEqual({
      challenge: `error="invalid_token"${description}`,
      status: 401,
    });
  }
});

test('no refusal shows anything of the token or of the rule it broke', async () => {
  const refusal = await refusalOf(`Bearer ${claims({ exp: 'TOPSECRET' })}`, options);
  expect(JSON.stringify(refusal.extensions)).not.toMatch(/TOPSECRET|verification|ins_market/);
});
