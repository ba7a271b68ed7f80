import { openRefusals } from '../authorization/matrix/openRefusals.ts';
import { definitionOf, documentOf } from '../authorization/matrix/runMatrix.ts';
import { leafInputsOf, withValue } from './leafInputs.ts';
import { createPick, type Sample } from './sample.ts';

/** Declares the tests that no input accepts an operator of MongoDB instead of a value. */
export function describeOperators(sample: Sample): void {
  const refusals = openRefusals({ withCalls: true });
  const pick = createPick(sample, 3);
  const operators: readonly object[] = [
    { $ne: null },
    { $gt: '' },
    { $where: '1' },
    { __proto__: null, toString: 1 },
  ];

  test('every member of every body refuses an operator of MongoDB with 422 and its pointer', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const { request, route, operation } of refusals.requests) {
      const input = definitionOf(operation.field).args.find(({ name }) => name === 'input');
      if (!input || typeof request.body !== 'object') continue;
      const restName = (name: string) =>
        route.snakeCase ? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : name;
      for (const leaf of leafInputsOf(input.type).filter(({ isJson }) => !isJson)) {
        const named = {
          ...leaf,
          path: leaf.path.map(restName),
          beside: leaf.beside.map(([at, sample]) => [at.map(restName), sample] as const),
        };
        const pointer = `#/${named.path.join('/')}`;
        const rows: [unknown, string][] = [
          ...operators.map((operator): [unknown, string] => [operator, pointer]),
          [[{ $ne: 1 }], leaf.isList ? `${pointer}/0` : pointer],
          ...(leaf.isList ? [] : [[['x'], pointer] as [unknown, string]]),
        ];
        for (const [operator, wanted] of pick(rows)) {
          tried += 1;
          const { status, answer } = await refusals.watch.refuse({
            ...request,
            body: withValue(request.body, named, operator),
          });
          const pointers = answer.json.errors?.map((error: { pointer: string }) => error.pointer) ?? [];
          // A value from the path or a header is not a member of the body, so an ancestor may be named instead.
          const isNamed = pointers.some((one: string) => wanted === one || wanted.startsWith(`${one}/`));
          if (status !== 422 || !isNamed)
            faults.push(`${request.method} ${request.path} ${wanted}: ${status} ${pointers.join()}`);
        }
      }
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(150);
  }, 120_000);

  test('every argument of every operation refuses an operator of MongoDB with BAD_USER_INPUT', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const { operation, call, who } of refusals.calls) {
      const token = call.token ?? refusals.world.tokenOf(who);
      for (const argument of definitionOf(operation.field).args) {
        for (const leaf of leafInputsOf(argument.type, [argument.name]).filter(({ isJson }) => !isJson)) {
          for (const operator of pick([...operators, [{ $ne: 1 }], ...(leaf.isList ? [] : [['x']])])) {
            tried += 1;
            const variables = withValue(call.variables, leaf, operator);
            const query = documentOf(operation, variables);
            const request = { token, body: { query, variables } };
            const { code } = operation.field.startsWith('Subscription.')
              ? await refusals.watch.refuseStream(request)
              : await refusals.watch.refuse({ method: 'POST', path: '/graphql', ...request });
            if (code !== 'BAD_USER_INPUT') faults.push(`${operation.field} ${leaf.path.join('.')}: ${code}`);
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(tried).toBeGreaterThan(250);
  }, 120_000);

  test('a __proto__ or constructor member of variables does not change any prototype', async () => {
    const token = refusals.world.tokenOf('buyer');
    const body = `{"query":"query($listingId: ID!) { listing(listingId: $listingId) { id } }","variables":{"listingId":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`;
    await refusals.world.app.send({
      method: 'POST',
      path: '/graphql',
      token,
      body,
      headers: [['content-type', 'application/json']],
    });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
}
