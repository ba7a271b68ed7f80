import fc from 'fast-check';
import { fixtureRoutes } from '../test/support/facade/routes.ts';
import { type Reply, useFacade } from '../test/support/facade/startFacade.ts';

const facade = useFacade();
const paths = [
  ...new Set(fixtureRoutes().map(({ path }) => path.replace('{rest_root}', '/api/rest'))),
].filter((path) => !path.includes('/trouble/'));
const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE');
const token = fc.constantFrom('admin', 'user', 'rejected', undefined);
/** What a request line can carry; the client refuses to send the rest. */
const rawText = fc.string({ unit: fc.constantFrom(...'aZ0/%.?&=+~!*;:@$,[]{}|\\"<>^`\'-_'), maxLength: 40 });
const hostile = fc.constantFrom(
  ...'%00 %ff % .. __proto__ constructor %2e%2e%2f $ne [] %F0%9F%92%A9'.split(' '),
);
const segment = fc.oneof(
  hostile,
  rawText.map((text) => text.replaceAll(/[/?]/g, '')),
);

const target = fc
  .tuple(
    fc.constantFrom(...paths),
    fc.array(segment, { minLength: 3, maxLength: 3 }),
    fc.oneof(fc.constant(''), rawText),
  )
  .map(([path, values, query]) => {
    let index = 0;
    const filled = path.replace(/\{\w+\}/g, () => values[index++] || 'x');
    return query === '' ? filled : `${filled}?${query}`;
  });
const known = 'title state price places attributes tags __proto__ input id'.split(' ');
const members = fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), fc.jsonValue());
const body = fc.oneof(
  members.map((value) => JSON.stringify(value)),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  fc.string(),
);
const mediaType = fc.constantFrom(
  'application/json',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
  'text/plain',
  ';',
  '',
);

/** Expects an answer that is no server error, and a problem with the id of the request if it is a refusal. */
function assertAnswered({ status, json, headers, text }: Reply, isHead: boolean): void {
  expect(status).toBeLessThan(500);
  expect(headers['x-request-id']).toBeTruthy();
  expect(text).not.toMatch(/node_modules|\.ts:\d|at \w+ \(/);
  if (status < 400 || isHead) return;
  expect(json).toMatchObject({
    status,
    type: expect.stringContaining('/problems/'),
    requestId: headers['x-request-id'],
  });
}

test('no path, query or body causes a server error, and every refusal is a problem document', async () => {
  await fc.assert(
    fc.asyncProperty(methods, target, token, body, mediaType, async (method, path, caller, content, type) => {
      const hasContent = method !== 'GET' && method !== 'HEAD';
      const reply = await facade.call(path, {
        method,
        ...(caller === undefined ? {} : { token: caller }),
        ...(hasContent ? { body: content, headers: { 'content-type': type } } : {}),
      });
      assertAnswered(reply, method === 'HEAD');
    }),
    { numRuns: 600 },
  );
  expect(facade.faults).toEqual([]);
});

test('no request header causes a server error', async () => {
  const value = fc.string({ unit: fc.constantFrom(...'aZ09 "*/W,;=-\\()<>@:{}[]?%$\t'), maxLength: 60 });
  const name = fc.constantFrom(
    ...'if-match if-none-match idempotency-key accept content-type content-encoding'.split(' '),
    ...'authorization x-request-id accept-language'.split(' '),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'PATCH'), name, value, async (method, header, text) => {
      const headers = {
        'content-type': 'application/json',
        authorization: 'Bearer user',
        [header]: text.trim(),
      };
      assertAnswered(
        await facade.call('/api/v1/me', { method, headers, ...(method === 'PATCH' ? { body: '{}' } : {}) }),
        false,
      );
    }),
    { numRuns: 400 },
  );
  expect(facade.faults).toEqual([]);
});
