import { openRefusals, restRoot } from '../authorization/matrix/openRefusals.ts';
import { documentedQueryParameters, targetOf } from '../authorization/matrix/validCalls.ts';
import { createPick, type Sample } from './sample.ts';

const translation = `${restRoot}/translation/v1`;

/** Declares the tests of addresses that every route must refuse. */
export function describeAddresses(sample: Sample): void {
  const refusals = openRefusals({ withCalls: true });
  const pick = createPick(sample);
  test('an unknown, repeated or bracketed query parameter or a malformed escape returns 400', async () => {
    const faults: string[] = [];
    const parameters = documentedQueryParameters(refusals.requests);
    expect(parameters.length).toBeGreaterThan(30);
    for (const { valid, name, repeats } of parameters) {
      const { method } = valid.request;
      const [target = '', search = ''] = valid.request.path.split('?');
      // Keeps the other parameters, because a missing one is refused for itself.
      const others = search.split('&').filter((part) => part !== '' && !part.startsWith(`${name}=`));
      const rows: [string, string][] = [
        [`${name}[$ne]=x`, '400 unsupported_parameter'],
        [`${name}%5B%24ne%5D=x`, '400 unsupported_parameter'],
        [`${name}[]=x`, '400 unsupported_parameter'],
        [`${name}=%ff`, '400 malformed_request'],
        [`${name}=%`, '400 malformed_request'],
        [`${name}=%zz`, '400 malformed_request'],
        [`%ff=${name}`, '400 malformed_request'],
        [`__proto__=${name}`, '400 unsupported_parameter'],
        [`${name.toUpperCase()}X=1`, '400 unsupported_parameter'],
        ...(repeats ? [] : [[`${name}=1&${name}=1`, '400 unsupported_parameter'] as [string, string]]),
      ];
      for (const [wrong, words] of pick(rows)) {
        const query = [...others, wrong].join('&');
        const got = await refusals.watch.words({ ...valid.request, path: `${target}?${query}` });
        if (got !== words) faults.push(`${method} ${target}?${query}: ${got}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('a path parameter that is not an id returns 404, and one with a malformed escape returns 400', async () => {
    const faults: string[] = [];
    const rows: [string, string][] = [
      ['%ff', '400 malformed_request'],
      ['%', '400 malformed_request'],
      ['%zz', '400 malformed_request'],
      ['%00', '404'],
      ['__proto__', '404'],
      ['[$ne]', '404'],
      ['%7B%22%24ne%22%3A1%7D', '404'],
      ['..%2f..%2fme', '404'],
      ['%2e%2e', '404'],
      ['x'.repeat(5000), '404'],
      ['lst_01M7WRZ5A270TG2CMK197HXZ0Y%00', '404'],
    ];
    for (const { route, request, call } of refusals.requests) {
      // A type is an enum, so other values return 400.
      const parameter = route.pathParameters.find((name) => name !== 'type');
      if (!parameter) continue;
      const template = route.path.replace(`{${parameter}}`, '<value>');
      for (const [value, words] of pick(rows)) {
        const path = targetOf(template, call.path ?? {}).replace('<value>', value);
        const got = await refusals.watch.words({ ...request, path });
        if (!got.startsWith(words)) faults.push(`${request.method} ${path.slice(0, 80)}: ${got}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('an address over 8 KiB returns 414, and one outside the interfaces returns 404', async () => {
    expect(await refusals.watch.words({ path: `/api/v1/me?${'x'.repeat(9000)}` })).toBe('414 uri_too_long');
    const outside = [
      '/nope',
      '/api',
      '/api/v2/me',
      '//',
      '/..%2f',
      '/%',
      '/api/rest',
      '/api/rest/other/v1/x',
    ];
    for (const path of outside)
      expect([path, await refusals.watch.words({ path })]).toEqual([path, '404 route_not_found']);
  });

  test.each(['strings', 'suggestions', 'import', 'export', 'status'])(
    'the forbidden path /%s of interface C returns 404 for every method and caller',
    async (name) => {
      const { tokenOf } = refusals.world;
      const tokens = [undefined, tokenOf('administrator'), 'nonsense', tokenOf('foreigner')];
      const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
      for (const method of methods)
        for (const token of tokens)
          for (const tail of pick(['', '/', '/1', '?x=1']))
            expect(
              (await refusals.watch.refuse({ method, path: `${translation}/${name}${tail}`, token })).status,
            ).toBe(404);
    },
  );

  test('an unsupported method returns 405 with Allow, and without a token 401 on interface A', async () => {
    const faults: string[] = [];
    const places = Map.groupBy(refusals.requests, ({ route }) => targetOfRoute(route.path));
    for (const [path, mounted] of places) {
      const allowed = mounted.map(({ route }) => route.method as string);
      const isOfA = mounted[0]?.route.interface === 'A';
      const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'MKCOL'];
      const others = methods.filter((one) => !allowed.includes(one));
      for (const method of pick(others)) {
        const token = refusals.world.tokenOf('buyer');
        const { status, answer } = await refusals.watch.refuse({ method, path, token });
        const named = String(answer.headers.allow).split(', ');
        if (status !== 405 || allowed.some((one) => !named.includes(one)) || named.includes(method))
          faults.push(`${method} ${path}: ${status} ${named.join()}`);
        const stranger = await refusals.watch.refuse({ method, path });
        if (stranger.status !== (isOfA ? 401 : 405))
          faults.push(`stranger ${method} ${path}: ${stranger.status}`);
        const overridden = [['x-http-method-override', allowed[0] ?? '']] as const;
        if ((await refusals.watch.refuse({ method, path, headers: overridden })).status !== stranger.status)
          faults.push(`${method} ${path} is overridden by a header`);
      }
    }
    expect(faults).toEqual([]);
  });
}

/** A route's path with `x` for every parameter. */
function targetOfRoute(path: string): string {
  return path.replace('{rest_root}', restRoot).replace(/\{\w+\}/g, 'x');
}
