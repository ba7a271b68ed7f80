import { buildSchema, parse } from 'graphql';
import { deadlineTransport } from './deadlineTransport.ts';
import { createLocalTransport } from './transport/localTransport.ts';

function transportOf(answer: () => unknown) {
  const schema = buildSchema('type Query { field: String }');
  const field = schema.getQueryType()?.getFields().field;
  if (field) field.resolve = answer;
  return deadlineTransport(createLocalTransport(schema, { jit: false }), 'slow');
}

function run(answer: () => unknown, timeoutMs: number) {
  const text = '{ field }';
  return transportOf(answer).compile(parse(text), text, 'query' as never, { timeoutMs })({}, {});
}

test('a subgraph that never answers causes UPSTREAM_TIMEOUT with its name at the deadline', async () => {
  expect(await run(() => new Promise(() => undefined), 20)).toEqual({
    errors: [
      {
        message: 'The subgraph "slow" did not answer in time.',
        extensions: { code: 'UPSTREAM_TIMEOUT', serviceName: 'slow' },
      },
    ],
  });
});

test('an answer of a subgraph before its deadline is returned, also if it is synchronous', async () => {
  expect(await run(() => Promise.resolve('later'), 5000)).toMatchObject({ data: { field: 'later' } });
  expect(await run(() => 'now', 1)).toMatchObject({ data: { field: 'now' } });
});
