import { buildClientSchema, buildSchema, printSchema } from 'graphql';
import { product } from '../support/product.ts';
import { signInOperators } from './world/signInOperators.ts';

const paths = ['/graphql/schema.graphql', '/graphql/schema.json'];

describe('the schema, while introspection is on', () => {
  const { send } = product();

  test('is the same as SDL and as the result of introspection, and contains no guard', async () => {
    const [sdl, introspection] = await Promise.all(paths.map((path) => send({ path })));
    expect([sdl?.status, introspection?.status]).toEqual([200, 200]);
    const schema = buildSchema(sdl?.text ?? '');
    expect(schema.getQueryType()?.getFields()).toHaveProperty('catalogListings');
    const nullability = /^"""[^"]*"""\ndirective @semanticNonNull.*\n\n/m;
    const withoutNullability = printSchema(schema).replace(nullability, '');
    expect(printSchema(buildClientSchema(introspection?.json.data))).toBe(withoutNullability);
    expect(sdl?.text).not.toMatch(/guard__|join__/);
    expect(sdl?.text).toMatch(/ languages\([^)]*\): LanguageList @semanticNonNull\n/s);
    expect(sdl?.text).toMatch(/ nodes\([^)]*\): \[Node\] @semanticNonNull\(levels: \[0, 1\]\)\n/s);
  });

  test.each(paths)('is not sent again to a client that has it (%s)', async (path) => {
    const { etag } = (await send({ path })).headers;
    const again = await send({ path, headers: [['if-none-match', String(etag)]] });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
  });

  test('is only read', async () => {
    const answer = await send({ method: 'POST', path: '/graphql/schema.json', body: {} });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the schema, while introspection is off', () => {
  const { stack, market, send } = product({ introspection: false });

  test.each(paths)('is refused to every caller except an operator (%s)', async (path) => {
    const admin = await market.staff('installation_admin');
    const [[, token]] = (await signInOperators(stack, market)).tokens as [[string, string]];
    expect((await send({ path })).json.errors[0].extensions.problem.code).toBe('token_missing');
    const refused = await send({ path, token: admin.token });
    expect([refused.status, refused.json.errors[0].extensions.problem.code]).toEqual([
      403,
      'permission_required',
    ]);
    expect((await send({ path, token })).status).toBe(200);
  });
});
