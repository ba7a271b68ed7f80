import { readRoutes } from '../../../schema/route/readRoutes.ts';
import { parts } from '../parts.ts';
import { apiSchema } from './runMatrix.ts';
import { operations } from './validCalls.ts';

test('every root field and every REST route has a row in the authorization matrix', () => {
  const fields = [apiSchema.getQueryType(), apiSchema.getMutationType(), apiSchema.getSubscriptionType()]
    .flatMap((type) => Object.keys(type?.getFields() ?? {}).map((name) => `${type?.name}.${name}`))
    .sort();
  expect(operations.map(({ field }) => field).sort()).toEqual(fields);
  const routes = readRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(operations.flatMap((operation) => Object.keys(operation.routes ?? {})).sort()).toEqual(
    routes.sort(),
  );
});

test('every row belongs to exactly one part of the matrix', () => {
  const fields = Object.values(parts).flatMap((part) => part.map(({ field }) => field));
  expect(fields.sort()).toEqual(operations.map(({ field }) => field).sort());
});
