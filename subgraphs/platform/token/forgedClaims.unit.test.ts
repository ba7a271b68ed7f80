import { createForge, forged, refusalOf } from '../../../test/support/people/forgeTokens.ts';
import { newId } from '../ids/newId.ts';

const { payload, nowSeconds, options, token } = createForge();
const { iss, aud, exp } = payload;
const claims = (changed: object): string => token({ payload: { ...payload, ...changed } });
const without = (name: string): string =>
  token({ payload: Object.fromEntries(Object.entries(payload).filter(([claim]) => claim !== name)) });
const spelled = JSON.stringify(payload);

const malformed = forged('token_invalid', 'claims', {
  'no sub': without('sub'),
  'a lifetime of 901 s': claims({ exp: payload.iat + 901 }),
});

const byTheLibrary = forged('token_invalid', 'verification', {
  'no iss': without('iss'),
  'another issuer': claims({ iss: 'https://evil.example' }),
  'a slash after the issuer': claims({ iss: `${iss}/` }),
  'a list of issuers': claims({ iss: [iss] }),
  'a string as exp': claims({ exp: String(exp) }),
  'null as exp': claims({ exp: null }),
  'a string as nbf': claims({ nbf: '0' }),
  'a payload that is a list': token({ payload: [payload] }),
  'a payload that is a string': token({ payload: 'user' }),
  'a payload that is null': token({ payload: 'null' }),
});

const audience = forged('token_invalid', 'audience', {
  'an unknown installation': claims({ installation: 'ins_unknown' }),
  'the name of an inherited object member as installation': claims({ installation: 'ins_constructor' }),
  'another installation and the audience of this one': claims({ installation: 'ins_other' }),
  'the audience of another installation': claims({ aud: 'https://other.example/api/v1' }),
  'a slash after the audience': claims({ aud: `${aud}/` }),
});

const invalidUtf8 = Buffer.concat([
  Buffer.from('{"x":"'),
  Buffer.of(0xff),
  Buffer.from(`",${spelled.slice(1)}`),
]);
const spelling = forged('token_invalid', 'spelling', {
  'two sub claims': token({ payload: `{"sub":"${newId('user')}",${spelled.slice(1)}` }),
  'two exp claims': token({ payload: `{"exp":${exp + 9e9},${spelled.slice(1)}` }),
  'two nested members with the same name': token({ payload: spelled.replace(/}$/, ',"x":{"a":1,"a":2}}') }),
  'spaces in the payload': token({ payload: JSON.stringify(payload, null, 1) }),
  'a number that is not written canonically': token({
    payload: spelled.replace(/"exp":(\d+)/, '"exp":$1.0'),
  }),
  'invalid UTF-8': token({ payload: invalidUtf8 }),
});

const times = [
  ...forged('token_expired', 'time', {
    'exp 30 s ago': claims({ iat: nowSeconds - 630, exp: nowSeconds - 30 }),
    'exp in 1970': claims({ exp: 1 }),
    'exp zero': claims({ exp: 0 }),
  }),
  ...forged('token_not_yet_valid', 'time', {
    'nbf in 31 s': claims({ nbf: nowSeconds + 31 }),
    'iat in 31 s': claims({ iat: nowSeconds + 31, nbf: nowSeconds }),
    'a sign-in in the future': claims({ auth_time: nowSeconds + 31 }),
  }),
];

const rows = [...malformed, ...byTheLibrary, ...audience, ...spelling, ...times];

test.each(rows)(
  'a token with %s is refused although its signature is valid',
  async (_, authorization, code, rule) => {
    const { cause, code: given, details, status } = await refusalOf(authorization, options);
    const description = code === 'token_expired' ? ', error_description="expired"' : '';
    expect([given, cause, status]).toEqual([code, rule, 401]);
    // RFC 6750
    expect(details.challenge).toBe(`error="invalid_token"${description}`);
  },
);

test('the refusal of a token contains neither its claims nor the violated rule', async () => {
  const refusal = await refusalOf(`Bearer ${claims({ exp: 'TOPSECRET' })}`, options);
  expect(JSON.stringify(refusal.extensions)).not.toMatch(/TOPSECRET|verification|ins_market/);
});
