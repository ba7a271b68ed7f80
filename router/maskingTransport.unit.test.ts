import { buildSubgraphSchema } from '@apollo/subgraph';
import { GraphQLError, GraphQLScalarType, OperationTypeNode, parse } from 'graphql';
import pino from 'pino';
import { AppError } from '../subgraphs/platform/errors/AppError.ts';
import { maskingTransport } from './maskingTransport.ts';
import { createLocalTransport } from './transport/localTransport.ts';

const Day = new GraphQLScalarType({
  name: 'Day',
  parseValue(value) {
    if (value !== 'today') throw new GraphQLError('A day is "today".');
    return value;
  },
});
const schema = buildSubgraphSchema([
  {
    typeDefs: parse('scalar Day type Query { echo(day: Day): String  refused: String  broken: String }'),
    resolvers: {
      Day,
      Query: {
        echo: (_: unknown, { day }: { day: string }) => day,
        refused: () => {
          throw new AppError('ownership_required', 'Not yours.');
        },
        broken: () => {
          throw new TypeError('secret of the house');
        },
      },
    },
  },
]);
const transport = maskingTransport(createLocalTransport(schema), pino({ level: 'silent' }));

async function ask(text: string, variables: Record<string, unknown> = {}, eager = false) {
  const request = transport.compile(parse(text), text, OperationTypeNode.QUERY, { eager });
  const { errors = [] } = await request(variables, { requestId: 'r' } as object);
  return errors.map(({ message, extensions }) => [message, extensions?.code]);
}

test.each([false, true])(
  'a value that the subgraph refuses returns BAD_USER_INPUT instead of a masked error (compiled: %s)',
  async (eager) => {
    const [[message, code] = []] = await ask(
      'query ($day: Day) { echo(day: $day) }',
      { day: { $ne: 1 } },
      eager,
    );
    expect(message).toContain('Variable "$day"');
    expect(code).toBe('BAD_USER_INPUT');
  },
);

test('the message of a refusal is returned, and that of an unexpected error is masked', async () => {
  expect(await ask('{ refused }')).toEqual([['Not yours.', 'FORBIDDEN']]);
  const [[message, code] = []] = await ask('{ broken }');
  expect(message).not.toContain('secret');
  expect(code).toBe('INTERNAL_SERVER_ERROR');
});
