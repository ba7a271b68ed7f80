import fc from 'fast-check';
import { forgedClaims, forgedTokens } from '../../../test/support/people/forgeries.ts';
import { createForge, forged, refusalOf } from '../../../test/support/people/forgeTokens.ts';
import { verifyToken } from './verifyToken.ts';

const forge = createForge();
const { payload, options, token, nowSeconds } = forge;
const genuine = token();
const [genuineHeader = '', genuinePayload = '', genuineSignature = ''] = genuine.split('.');
const claims = (changed: object): string => token({ payload: { ...payload, ...changed } });

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

beforeAll(() => verifyToken(`Bearer ${genuine}`, options));

test.each([...forgedTokens(forge), ...forgedClaims(forge), ...times])(
  'a token with %s is refused',
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

test('a genuine token with one changed byte is refused', async () => {
  const changes = fc.tuple(fc.nat(genuine.length - 1), fc.integer({ min: 1, max: 255 }));
  await fc.assert(
    fc.asyncProperty(changes, async ([position, difference]) => {
      const bytes = Buffer.from(genuine, 'latin1');
      bytes[position] = ((bytes[position] ?? 0) + difference) % 256;
      const { code } = await refusalOf(`Bearer ${bytes.toString('latin1')}`, options);
      expect(['token_malformed', 'token_invalid', 'ambiguous_credentials']).toContain(code);
    }),
    { numRuns: 3000 },
  );
});

test('an Authorization header of random pieces is refused with 400 or 401', async () => {
  const separators = ['Bearer ', '.', '=', ', ', '\0', '{"alg":'];
  const pieces = fc.constantFrom(...separators, genuineHeader, genuinePayload, genuineSignature);
  const piece = fc.oneof(pieces, fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 9 }), async (parts) => {
      const text = parts.join('');
      fc.pre(text !== `Bearer ${genuine}`);
      expect([400, 401]).toContain((await refusalOf(text, options)).status);
    }),
    { numRuns: 2000 },
  );
});
