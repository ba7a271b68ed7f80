import { readRoutes } from '../../../schema/route/readRoutes.ts';
import { operations } from '../parts.ts';
import { routesOf } from './Operation.ts';
import { apiSchema } from './runMatrix.ts';

test('every root field and every REST route has a row in the authorization matrix', () => {
  const fields = [apiSchema.getQueryType(), apiSchema.getMutationType(), apiSchema.getSubscriptionType()]
    .flatMap((type) => Object.keys(type?.getFields() ?? {}).map((name) => `${type?.name}.${name}`))
    .sort();
  expect(operations.map(({ field }) => field).sort()).toEqual(fields);
  const routes = readRoutes().map(({ method, path }) => `${method} ${path}`);
  expect(operations.flatMap((operation) => Object.keys(routesOf(operation))).sort()).toEqual(routes.sort());
});
